/* SPDX-License-Identifier: MIT */
/* The models against published results: those of Volkov's thesis (2016), which evaluates most of
 * them, and of Kothapalli et al. 2009. Inputs are filled in by hand from the thesis's tables 2.6,
 * 2.7, 4.1 and 6.5; the last tests check that the shipped files give the same. Kernels are its mix
 * of a load and alpha adds, over many rounds, so that beginnings and ends do not count.
 */
#include "config.h"

#include "models/wp-model-private.h"

#include <math.h>
#include <string.h>

#include "tests/check-main.h"

#define ROUNDS 1e6

typedef struct
{
  const gchar *name;
  gdouble sms, clock_ghz, pin_gbs, schedulers, issue_rate, cores;
  gdouble mem_lat, mem_thru, alu_lat, alu_thru, issue_thru; /* table 4.1 */
  gdouble a, b, c;                                          /* table 6.5 */
  gdouble transactions;                                     /* section 6.7 */
} Gpu;

static const Gpu gpus[] = {
  { "8800gtx", 16, 1.35, 86.4, 1, 0.5, 8, 444, 0.0268, 20, 0.25, 0.5, 453, 61, 81, 2 },
  { "gtx280", 30, 1.296, 141.7, 1, 0.5, 8, 434, 0.0277, 24, 0.25, 0.5, 438, 17, 140, 2 },
  { "gtx480", 15, 1.4, 177.4, 2, 1, 32, 513, 0.0599, 18, 1, 1, 501, 41, 170, 1 },
  { "gtx680", 8, 1.124, 192.3, 4, 4, 192, 301, 0.1338, 9, 4, 4, 300, 32, 170, 4 },
  { "gtx980", 16, 1.266, 224, 4, 4, 128, 368, 0.0814, 6, 4, 4, 372, 22, 221, 4 },
};

enum
{
  G80,
  GT200,
  FERMI,
  KEPLER,
  MAXWELL,
  N_GPUS
};

static const gdouble alphas[] = { 0, 1, 32, 512 };

/* A kernel and what it points to. */
typedef struct
{
  WpModelInput input;
  WpModelOp ops[2];
  WpInterval intervals[2];
} Mix;

static void
fill_gpu (WpModelInput *input, const Gpu *gpu)
{
  input->warp_size = 32;
  input->sms = gpu->sms;
  input->schedulers = gpu->schedulers;
  input->clock_ghz = gpu->clock_ghz;
  input->issue_rate = gpu->issue_rate;
  input->pin_gbs = gpu->pin_gbs;
  input->has_contention = TRUE;
  input->contention_a = gpu->a;
  input->contention_b = gpu->b;
  input->contention_c = gpu->c;
  input->cores = gpu->cores;
  input->peak_flops = 2 * gpu->cores;
  input->peak_bytes = 128 * gpu->mem_thru;
  input->alu_latency = gpu->alu_lat;
  input->alu_cpi = input->instruction_time = 1 / gpu->alu_thru;
  input->mem_latency = gpu->mem_lat;
  input->mem_cpi = 1 / gpu->mem_thru;
}

/* ROUNDS of a load and ALPHA adds, each dependent on the one before. */
static void
fill_mix (Mix *mix, const Gpu *gpu, gdouble alpha)
{
  WpModelInput *input = &mix->input;
  gdouble group = gpu->mem_lat + alpha * gpu->alu_lat;

  memset (mix, 0, sizeof *mix);
  fill_gpu (input, gpu);
  mix->ops[0] = (WpModelOp){ .name = "ld.global",
                             .pipeline = 1,
                             .memory = TRUE,
                             .count = ROUNDS,
                             .issue = 1 / gpu->mem_thru,
                             .plain_issue = 1 / gpu->mem_thru,
                             .completion = gpu->mem_lat,
                             .plain_completion = gpu->mem_lat,
                             .slots = 1,
                             .transactions = gpu->transactions,
                             .bytes = 128 };
  mix->ops[1] = (WpModelOp){ .name = "add.f32",
                             .count = ROUNDS * alpha,
                             .issue = 32 / gpu->cores,
                             .plain_issue = 32 / gpu->cores,
                             .completion = gpu->alu_lat,
                             .plain_completion = gpu->alu_lat,
                             .slots = 1,
                             .flops = 32 };
  input->ops = mix->ops;
  input->n_ops = alpha > 0 ? 2 : 1;
  input->instructions = ROUNDS * (alpha + 1);
  input->arithmetic = ROUNDS * alpha;
  input->memory = input->loads = ROUNDS;
  input->transactions = ROUNDS * gpu->transactions;
  input->path_loads = input->memory_waits = ROUNDS;
  input->path_load_cycles = input->path_load_plain = ROUNDS * gpu->mem_lat;
  input->flops = ROUNDS * alpha * 32;
  input->bytes = ROUNDS * 128;
  input->latency = input->serial_latency = ROUNDS * group;
  input->throughput
      = ROUNDS
        * MAX (1 / gpu->mem_thru, MAX (alpha / gpu->alu_thru, (alpha + 1) / gpu->issue_thru));
  input->ilp = 1;
  input->tick = 1;
  mix->intervals[0] = (WpInterval){
    .instructions = 1, .wait = (WpTick)gpu->mem_lat, .pipeline = 1, .times = (guint64)ROUNDS
  };
  mix->intervals[1] = (WpInterval){ .instructions = 1,
                                    .wait = (WpTick)gpu->alu_lat,
                                    .times = (guint64)(ROUNDS * alpha) };
  input->intervals = mix->intervals;
  input->n_intervals = input->n_ops;
}

static gdouble
get_term (const WpModelResult *result, const gchar *name)
{
  for (guint i = 0; i < result->n_terms; i++)
    if (strcmp (result->terms[i].name, name) == 0)
      return result->terms[i].value;
  ck_abort_msg ("no term %s", name);
  return NAN;
}

static void
run (const gchar *name, const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  const gchar *why = wp_model_estimate (wp_model_find (name), input, warps, result);

  ck_assert_msg (why == NULL, "%s: %s", name, why);
}

/* Groups of a load and alpha adds, a cycle and SM. */
static gdouble
predict (const gchar *name, const WpModelInput *input, gdouble warps)
{
  WpModelResult result;

  run (name, input, warps, &result);
  return result.throughput * ROUNDS;
}

static void
assert_close (gdouble got, gdouble expected, gdouble relative)
{
  ck_assert_msg (fabs (got - expected) <= relative * fabs (expected), "%.10g is not %.10g", got,
                 expected);
}

#define EXACT 1e-9
/* What beginnings and ends make over ROUNDS. */
#define LONG_RUN 1e-4

START_TEST (the_table_of_models_has_each_under_its_name)
{
  gsize n = 0;

  for (const WpModel *model; (model = wp_model_get (n)) != NULL; n++)
    {
      ck_assert_ptr_eq (wp_model_find (model->name), model);
      ck_assert (model->authors != NULL && model->title != NULL && model->source != NULL);
      ck_assert (model->year >= 1989 && model->estimate != NULL);
      ck_assert_msg (strlen (model->title) <= 74, "%s", model->title);
    }
  ck_assert_uint_eq (n, 19);
  ck_assert_ptr_null (wp_model_find ("nobody"));
}
END_TEST

START_TEST (volkov_gives_the_five_formulas_of_table_4_2)
{
  const gdouble compute[N_GPUS] = { 0.25, 0.25, 1, 4, 4 };

  for (guint g = 0; g < N_GPUS; g++)
    for (guint i = 1; i < G_N_ELEMENTS (alphas); i++)
      for (gdouble n = 1; n <= 64; n++)
        {
          gdouble alpha = alphas[i], expected;
          gdouble adds = g <= GT200 ? alpha : alpha + 1; /* issue is overprovided there */
          Mix mix;

          fill_mix (&mix, &gpus[g], alpha);
          expected = MIN (n / (gpus[g].mem_lat + gpus[g].alu_lat * alpha), gpus[g].mem_thru);
          expected = MIN (expected, compute[g] / adds);
          assert_close (predict ("volkov", &mix.input, n), expected, EXACT);
        }
}
END_TEST

/* Section 4.5: on Maxwell 30 warps at alpha 0, 53.4 at the cusp (alpha 48), 26.8 at alpha 512. */
START_TEST (volkov_needs_most_warps_at_the_cusp)
{
  const gdouble alpha[] = { 0, 48, 512 }, expected[] = { 30, 53.4, 26.8 };
  WpModelResult result;
  Mix mix;

  for (guint i = 0; i < 3; i++)
    {
      fill_mix (&mix, &gpus[MAXWELL], alpha[i]);
      run ("volkov", &mix.input, 1, &result);
      ck_assert_double_eq_tol (result.needed, expected[i], 0.06);
    }
}
END_TEST

/* The equation of section 6.5 on Kepler, solved here for x by halving. */
static gdouble
solve_contended_kepler (gdouble alpha, gdouble n)
{
  gdouble low = 0, high = 0.14769;

  for (guint i = 0; i < 200; i++)
    {
      gdouble x = (low + high) / 2;
      gdouble y = n / (300 + 32 * x / (170 / (128 * 8 * 1.124) - x) + 9 * alpha);

      if (MIN (MIN (y, 0.1338), 4 / (alpha + 1)) > x)
        low = x;
      else
        high = x;
    }
  return low;
}

START_TEST (volkov_contention_solves_the_equation_of_section_6_5)
{
  for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
    for (gdouble n = 1; n <= 64; n++)
      {
        Mix mix;

        fill_mix (&mix, &gpus[KEPLER], alphas[i]);
        assert_close (predict ("volkov-contention", &mix.input, n),
                      solve_contended_kepler (alphas[i], n), 1e-6);
      }
}
END_TEST

/* A diverging access keeps what it takes longer than a coalesced one. */
START_TEST (volkov_contention_keeps_the_extra_of_a_context)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[KEPLER], 0);
  mix.input.latency = mix.input.path_load_cycles = ROUNDS * 1213;
  run ("volkov-contention", &mix.input, 1e-9, &result);
  ck_assert_double_eq_tol (get_term (&result, "Latency") / ROUNDS, 300 + 1213 - 301, 1e-3);
  ck_assert_double_eq_tol (get_term (&result, "Memory latency"), 300, 1e-3);
}
END_TEST

START_TEST (the_guide_needs_the_warps_of_table_4_3)
{
  const gdouble alpha[N_GPUS] = { 16, 16, 32, 32, 64 };
  const gdouble needed[N_GPUS] = { 6.9, 6.8, 16, 38, 23 };
  const gdouble digit[N_GPUS] = { 0.05, 0.05, 0.5, 0.5, 0.5 };

  for (guint g = 0; g < N_GPUS; g++)
    {
      WpModelResult result;
      Mix mix;

      fill_mix (&mix, &gpus[g], alpha[g]);
      run ("guide", &mix.input, 1, &result);
      ck_assert_double_eq_tol (result.needed, needed[g], digit[g]);
      /* From there on an instruction each instruction time, below in proportion. */
      assert_close (predict ("guide", &mix.input, result.needed + 1) * (alpha[g] + 1),
                    gpus[g].alu_thru, EXACT);
      assert_close (predict ("guide", &mix.input, result.needed / 2) * (alpha[g] + 1),
                    gpus[g].alu_thru / 2, EXACT);
      run ("guide-refined", &mix.input, 1, &result);
      assert_close (result.needed, gpus[g].mem_lat * gpus[g].alu_thru / (alpha[g] + 1) + 1, EXACT);
    }
}
END_TEST

/* With C = 0 both equations of section 4.9 give what the refined guide and Hong and Kim's CWP_full
 * give. */
START_TEST (saavedra_and_agarwal_agree_where_switches_are_free)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[GT200], 32);
  run ("saavedra", &mix.input, 2, &result);
  assert_close (result.needed, 434.0 / (33 * 4) + 1, EXACT);
  ck_assert_double_eq (get_term (&result, "C"), 0);
  assert_close (result.throughput * ROUNDS, 2 / (434.0 + 33 * 4), EXACT);
  run ("agarwal", &mix.input, 32, &result);
  assert_close (result.needed, 434.0 / (33 * 4) + 1, EXACT);
  assert_close (result.throughput * ROUNDS, 1 / (33.0 * 4), EXACT);
}
END_TEST

/* Section 7.1: MWP is capped at 12.4, CWP at 4.3. */
START_TEST (hong_and_kim_s_figures_are_those_of_section_7_1)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[GT200], 32);
  run ("hong", &mix.input, 32, &result);
  ck_assert_double_eq_tol (get_term (&result, "MWP"), 12.4, 0.05);
  ck_assert_double_eq_tol (get_term (&result, "CWP"), 4.3, 0.05);
  for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
    {
      gdouble comp = 4 * (alphas[i] + 1);

      fill_mix (&mix, &gpus[GT200], alphas[i]);
      for (gdouble n = 1; n <= 32; n++)
        {
          run ("hong", &mix.input, n, &result);
          if (n <= MIN (434 / comp + 1, 12.357))
            {
              ck_assert_double_eq (get_term (&result, "equation"), 22);
              assert_close (n / result.throughput / ROUNDS, 434 + comp, LONG_RUN);
            }
          else if (434 / comp + 1 < 12.357)
            {
              ck_assert_double_eq (get_term (&result, "equation"), 24);
              assert_close (n / result.throughput / ROUNDS, n * comp, LONG_RUN);
            }
          else
            {
              ck_assert_double_eq (get_term (&result, "equation"), 23);
              assert_close (n / result.throughput / ROUNDS,
                            434 * n / (141.7 * 434 / (1.296 * 128 * 30)), LONG_RUN);
            }
        }
    }
}
END_TEST

/* Few rounds, where beginnings count: equations 22, 23 and 24 to the last term. Accesses of 256
 * bytes halve the cap of MWP; stores that nothing waits for are no stalls. */
START_TEST (hong_and_kim_s_equations_hold_for_a_few_rounds)
{
  const gdouble peak = 141.7 / (30 * 1.296) * 434 / 256;
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[GT200], 0);
  mix.input.instructions = 4;
  mix.input.memory = 4;
  mix.input.loads = 3;
  mix.input.bytes = 4 * 256;
  for (gdouble n = 1; n <= 32; n++)
    {
      gdouble period = 4.0 * 4 / 3;
      gdouble expected
          = n < peak ? 3 * 434 + 16 + period * (n - 1) : 3 * 434 * n / peak + period * (peak - 1);

      run ("hong", &mix.input, n, &result);
      assert_close (get_term (&result, "Exec_cycles"), expected, EXACT);
      assert_close (result.throughput, n / expected, EXACT);
      assert_close (result.needed, (3 * 434 + 16) / 16.0, EXACT);
    }
  mix.input.instructions = 3 * 33;
  mix.input.memory = 3;
  mix.input.bytes = 3 * 128;
  run ("hong", &mix.input, 8, &result);
  ck_assert_double_eq (get_term (&result, "equation"), 24);
  assert_close (get_term (&result, "Exec_cycles"), 434 + 8 * 4 * 99, EXACT);
}
END_TEST

/* Section 7.2: without arithmetic 1 / max (448 - 4 n, 37) instructions a cycle; else the summary of
 * its equations. */
START_TEST (baghsorkhi_s_warp_latency_is_that_of_section_7_2)
{
  Mix mix;

  fill_mix (&mix, &gpus[G80], 0);
  for (gdouble n = 1; n <= 24; n++)
    assert_close (predict ("baghsorkhi", &mix.input, n), 1 / (448 - 4 * n), LONG_RUN);
  ck_assert_double_eq_tol (1 / predict ("baghsorkhi", &mix.input, 103), 37, 0.4);
  for (gdouble alpha = 1; alpha <= 512; alpha *= 2)
    for (gdouble n = 1; n <= 24; n++)
      {
        gdouble x = alpha * MAX (4, 20 / n) + 4;

        fill_mix (&mix, &gpus[G80], alpha);
        assert_close (1 / predict ("baghsorkhi", &mix.input, n),
                      MAX (MAX (1 / 0.0268, x), 440 - (n - 2) * x), LONG_RUN);
      }
}
END_TEST

START_TEST (baghsorkhi_switches_at_barriers_too)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[G80], 32);
  mix.input.barriers = ROUNDS;
  run ("baghsorkhi", &mix.input, 2, &result);
  assert_close (get_term (&result, "NBC_avg"), (32 * 10 + 4) / 2.0, LONG_RUN);
}
END_TEST

/* Half of the loads in flight with another: only the other half is waited for. */
START_TEST (baghsorkhi_s_loads_in_flight_together_are_one_wait)
{
  Mix mix;

  fill_mix (&mix, &gpus[G80], 0);
  mix.input.memory_waits = ROUNDS / 2;
  assert_close (1 / predict ("baghsorkhi", &mix.input, 1), (444 + 1 / 0.0268) / 2, LONG_RUN);
}
END_TEST

START_TEST (zhang_and_owens_take_the_longer_of_measured_times)
{
  const gdouble alu[] = { 0.04, 0.08, 0.12 }, mem[] = { 0.0023, 0.0046, 0.0069 };
  const WpModel *zhang = wp_model_find ("zhang");
  WpModelResult result;
  Mix mix;

  ck_assert (zhang->wants_measured);
  fill_mix (&mix, &gpus[GT200], 16);
  ck_assert_str_eq (wp_model_estimate (zhang, &mix.input, 1, &result),
                    "not measured at this occupancy");
  mix.input.n_measured = 3;
  mix.input.measured_alu = alu;
  mix.input.measured_mem = mem;
  assert_close (predict ("zhang", &mix.input, 2), 0.0046, EXACT); /* 0.08 / 16 = 0.005 */
  assert_close (predict ("zhang", &mix.input, 2.5), 0.00575, EXACT);
  fill_mix (&mix, &gpus[GT200], 32);
  mix.input.n_measured = 3;
  mix.input.measured_alu = alu;
  ck_assert_ptr_nonnull (wp_model_estimate (zhang, &mix.input, 3, &result));
  mix.input.measured_mem = mem;
  assert_close (predict ("zhang", &mix.input, 3), 0.12 / 32, EXACT);
  ck_assert_ptr_nonnull (wp_model_estimate (zhang, &mix.input, 3.5, &result));
  ck_assert_ptr_nonnull (wp_model_estimate (zhang, &mix.input, 0.5, &result));
  ck_assert (isnan (result.throughput));
}
END_TEST

/* Table 7.1: MWP_peak_bw is 30.7, 40.3 and 29.9. */
START_TEST (sim_et_al_s_times_are_those_of_section_7_4)
{
  const gdouble peak[N_GPUS] = { 0, 0, 30.7, 40.3, 29.9 };

  for (guint g = FERMI; g < N_GPUS; g++)
    for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
      for (gdouble n = 1; n <= 64; n++)
        {
          const Gpu *gpu = &gpus[g];
          gdouble alu = MAX (gpu->alu_lat / n, 1 / gpu->alu_thru), comp = (alphas[i] + 1) * alu;
          gdouble cwp = MIN (n, 1 + gpu->mem_lat / comp), mwp;
          gdouble t_comp = n * comp, t_mem;
          WpModelResult result;
          Mix mix;

          fill_mix (&mix, gpu, alphas[i]);
          run ("sim", &mix.input, n, &result);
          ck_assert_double_eq_tol (get_term (&result, "MWP_peak_bw"), peak[g], 0.1);
          mwp = MIN (n, get_term (&result, "MWP_peak_bw"));
          t_mem = n * gpu->mem_lat / MIN (mwp, MAX (1, cwp - 1));
          assert_close (n / result.throughput / ROUNDS,
                        MAX (t_comp, cwp > mwp ? t_mem : t_mem + t_comp / n), EXACT);
        }
}
END_TEST

/* A warp with two loads in flight at a time: MLP 2 halves what memory takes, up to its peak. */
START_TEST (sim_et_al_know_independent_loads)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[FERMI], 0);
  mix.input.memory_waits = ROUNDS / 2;
  run ("sim", &mix.input, 4, &result);
  ck_assert_double_eq (get_term (&result, "MLP"), 2);
  assert_close (get_term (&result, "T_mem"), ROUNDS * 4 * 513 / (2 * 3), EXACT);
  run ("sim", &mix.input, 48, &result);
  assert_close (get_term (&result, "T_mem"), ROUNDS * 48 / 0.0599, EXACT);
}
END_TEST

/* Two independent instructions of a warp halve what arithmetic takes, up to its peak; stores take
 * bandwidth, but no latency. */
START_TEST (sim_et_al_know_independent_arithmetic_and_stores)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[FERMI], 32);
  mix.input.ilp = 2;
  mix.input.loads = ROUNDS / 2;
  run ("sim", &mix.input, 4, &result);
  assert_close (get_term (&result, "T_comp"), ROUNDS * 4 * 33 * 18 / (2 * 4), EXACT);
  assert_close (get_term (&result, "CWP"), MIN (4, 1 + 513 / 2.0 / (33 * 18 / 8.0)), EXACT);
  run ("sim", &mix.input, 48, &result);
  assert_close (get_term (&result, "T_comp"), ROUNDS * 48 * 33, EXACT);
  fill_mix (&mix, &gpus[FERMI], 0);
  mix.input.loads = mix.input.memory_waits = ROUNDS / 2;
  run ("sim", &mix.input, 8, &result);
  assert_close (get_term (&result, "T_mem"), ROUNDS * 8 * MAX (513 / 2.0 / 7, 1 / 0.0599), EXACT);
  run ("sim", &mix.input, 48, &result);
  assert_close (get_term (&result, "T_mem"), ROUNDS * 48 / 0.0599, EXACT);
}
END_TEST

/* Section 7.5: without limits; section 7.6: the same, except for what does not fit into stalls. N
 * is per scheduler. */
START_TEST (huang_et_al_s_formulas_are_those_of_sections_7_5_and_7_6)
{
  for (guint g = FERMI; g < N_GPUS; g++)
    for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
      for (gdouble n = 4; n <= 64; n += 4)
        {
          const Gpu *gpu = &gpus[g];
          gdouble total = gpu->mem_lat + alphas[i] * gpu->alu_lat, p = (1 + alphas[i]) / total;
          gdouble cores = g == FERMI ? 1 : 4, others = n / cores - 1, mem, alu;
          Mix mix;

          fill_mix (&mix, gpu, alphas[i]);
          assert_close (predict ("huang-rr", &mix.input, n), n / total, EXACT);
          mem = MAX (0, MIN (p * (gpu->mem_lat - 1), 1) * others - gpu->mem_lat + 1);
          alu = MAX (0, MIN (p * (gpu->alu_lat - 1), 1) * others - gpu->alu_lat + 1);
          assert_close (predict ("huang-gto", &mix.input, n), n / (total + mem + alphas[i] * alu),
                        EXACT);
        }
}
END_TEST

/* Longer intervals: two instructions, then 8 cycles of stall. */
START_TEST (huang_et_al_s_intervals_may_hold_several_instructions)
{
  const WpInterval interval = { .instructions = 2, .wait = 9, .times = 10 };
  WpModelInput input = { .instructions = 20, .issue_rate = 1, .schedulers = 1, .tick = 1 };
  WpModelResult result;

  input.intervals = &interval;
  input.n_intervals = 1;
  run ("huang-rr", &input, 6, &result);
  ck_assert_double_eq_tol (get_term (&result, "total_cycles"), 100, EXACT);
  ck_assert_double_eq_tol (get_term (&result, "p"), 0.2, EXACT);
  ck_assert_double_eq_tol (get_term (&result, "NO"), 10 * 0.2 * 5 * 1, EXACT);
  run ("huang-gto", &input, 6, &result);
  ck_assert_double_eq_tol (get_term (&result, "NO"), 10 * (2 * 1 * 5 - 8), EXACT);
  /* Where nothing limits issue, a core is a scheduler. */
  input.issue_rate = INFINITY;
  input.schedulers = 2;
  run ("huang-gto", &input, 12, &result);
  ck_assert_double_eq (get_term (&result, "n"), 6);
}
END_TEST

/* Section 7.7, the paper's synthetic GPU: 16 SMs at 1 GHz, 192 GB/s, a latency of 300 cycles. */
START_TEST (huang_et_al_s_bandwidth_delay_is_negative_as_in_section_7_7)
{
  const Gpu synthetic = { "synthetic", 16, 1, 192, 1, 1, 32, 300, 1, 25, 1, 1, 0, 0, 0, 1 };
  WpModelResult result;
  gdouble rho;
  Mix mix;

  fill_mix (&mix, &synthetic, 0);
  run ("huang-bandwidth", &mix.input, 29, &result);
  ck_assert_double_eq_tol (get_term (&result, "s"), 0.667, 0.0005);
  ck_assert_double_eq_tol (get_term (&result, "rho"), 1.03, 0.005);
  ck_assert_double_eq_tol (get_term (&result, "Bandwidth_delay"), -11, 0.5);
  ck_assert_double_eq_tol (get_term (&result, "CPI_final"), -0.7, 0.05);
  ck_assert_double_lt (result.throughput, 0);
  run ("huang-bandwidth", &mix.input, 32, &result);
  ck_assert_double_eq_tol (get_term (&result, "rho"), 1.14, 0.005);
  /* Fermi at alpha 32. */
  fill_mix (&mix, &gpus[FERMI], 32);
  ck_assert_double_eq_tol (predict ("huang-bandwidth", &mix.input, 34) * 32 * 32, -12, 0.5);
  /* Where requests arrive just as fast as they are served, all of them wait. */
  ck_assert_double_eq (wp_huang_bandwidth_delay (8, 4, 32, 1, &rho), 16);
  ck_assert_double_eq (rho, 1);
}
END_TEST

/* Two loads in flight are one wait, of twice as many requests; what moves no bytes is one, too. */
START_TEST (huang_et_al_s_bandwidth_delay_counts_for_each_wait)
{
  const gdouble service = 1.4 * 128 / 177.4;
  WpModelResult result;
  gdouble rho, delay;
  Mix mix;

  fill_mix (&mix, &gpus[FERMI], 0);
  mix.input.memory_waits = ROUNDS / 2;
  run ("huang-bandwidth", &mix.input, 8, &result);
  ck_assert_double_eq (get_term (&result, "core_reqs"), 16);
  delay = wp_huang_bandwidth_delay (16, 15, 513, service, &rho);
  assert_close (1 / result.throughput / ROUNDS, 513.0 / 8 + delay / 2, EXACT);
  mix.ops[0].bytes = 0;
  run ("huang-bandwidth", &mix.input, 8, &result);
  ck_assert_double_eq (get_term (&result, "core_reqs"), 16);
  mix.ops[0].bytes = 129;
  run ("huang-bandwidth", &mix.input, 8, &result);
  ck_assert_double_eq (get_term (&result, "core_reqs"), 32);
}
END_TEST

/* Section 7.8: stride-2 accesses are two requests each; latency as of coalesced ones. */
START_TEST (huang_et_al_s_cpi_of_diverging_accesses_is_that_of_section_7_8)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[FERMI], 0);
  mix.ops[0].bytes = 256;
  run ("huang-bandwidth", &mix.input, 17, &result);
  ck_assert_double_eq (get_term (&result, "core_reqs"), 34);
  ck_assert_double_eq_tol (get_term (&result, "Bandwidth_delay"), -120, 0.5);
  ck_assert_double_eq_tol (get_term (&result, "CPI_final"), -89, 0.5);
}
END_TEST

START_TEST (adding_and_overlapping_are_those_of_sections_4_11_and_4_12)
{
  for (guint g = 0; g < N_GPUS; g++)
    for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
      for (gdouble n = 1; n <= 64; n += 3)
        {
          const Gpu *gpu = &gpus[g];
          gdouble arithmetic = alphas[i] * MAX (gpu->alu_lat / n, 1 / gpu->alu_thru);
          gdouble memory = MAX (gpu->mem_lat / n, 1 / gpu->mem_thru);
          Mix mix;

          fill_mix (&mix, gpu, alphas[i]);
          assert_close (1 / predict ("adding", &mix.input, n), arithmetic + memory, EXACT);
          assert_close (1 / predict ("overlapping", &mix.input, n), MAX (arithmetic, memory),
                        EXACT);
        }
}
END_TEST

/* The slides' single pipeline: latencies 1 and 4; one dependent instruction after another needs 4
 * warps, two independent ones need 2. */
START_TEST (lemeire_s_ridge_point_falls_with_independent_instructions)
{
  WpModelOp op = { .name = "compute", .count = 3, .issue = 1, .completion = 4 };
  WpModelInput input = { .instructions = 3, .arithmetic = 3, .n_ops = 1, .ops = &op, .ilp = 1 };
  WpModelResult result;

  for (gdouble n = 1; n <= 8; n++)
    {
      run ("lemeire", &input, n, &result);
      assert_close (get_term (&result, "CPI"), MAX (1, 4 / n), EXACT);
      assert_close (result.throughput, 1 / (3 * MAX (1, 4 / n)), EXACT);
      ck_assert_double_eq (result.needed, 4);
    }
  input.ilp = 2;
  run ("lemeire", &input, 1, &result);
  ck_assert_double_eq (result.needed, 2);
  ck_assert_double_eq (get_term (&result, "CPI"), 2);
}
END_TEST

START_TEST (lemeire_s_slowest_pipeline_counts)
{
  WpModelOp ops[]
      = { { .name = "compute", .pipeline = 0, .count = 3, .issue = 1, .completion = 4 },
          { .name = "memory", .pipeline = 1, .count = 1, .issue = 4, .completion = 20 } };
  WpModelInput input = { .instructions = 4, .n_ops = 2, .ops = ops, .ilp = 1 };
  WpModelResult result;

  run ("lemeire", &input, 2, &result);
  assert_close (result.throughput, 1 / 10.0, EXACT); /* memory 20 / 2, compute 3 x 2 */
  ck_assert_double_eq (result.needed, 5);
  run ("lemeire", &input, 100, &result);
  assert_close (result.throughput, 1 / 4.0, EXACT);
}
END_TEST

START_TEST (roofline_turns_at_its_ridge_point)
{
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[MAXWELL], 1);
  run ("roofline", &mix.input, 1, &result);
  ck_assert_double_eq (get_term (&result, "Operational intensity"), 0.25);
  assert_close (result.throughput * ROUNDS, 224 / (16 * 1.266) / 128, EXACT);
  ck_assert (isnan (result.needed));
  fill_mix (&mix, &gpus[MAXWELL], 512);
  run ("roofline", &mix.input, 64, &result);
  assert_close (result.throughput * ROUNDS, 256.0 / (512 * 32), EXACT);
  assert_close (get_term (&result, "Ridge point"), 256 / (224 / (16 * 1.266)), EXACT);
  mix.input.pin_gbs = 0; /* then what its loads sustain */
  mix.input.flops = 0;
  assert_close (predict ("roofline", &mix.input, 1), 0.0814, EXACT);
  mix.input.bytes = 0;
  ck_assert_ptr_nonnull (wp_model_estimate (wp_model_find ("roofline"), &mix.input, 1, &result));
}
END_TEST

/* Kothapalli et al. 2009, section 5: 30 SMs of 8 cores, 4 deep, at 1.3 GHz. The 21.0 ms that the
 * paper prints for list ranking are 21.1 by its own equation; its 11 ms for matrices of 128 do not
 * follow from its formula. */
START_TEST (kothapalli_s_times_are_those_of_the_paper)
{
  WpKothapalli list = { .blocks = ceil (4194304 / (512.0 * 22 * 30)),
                        .warps = 16,
                        .threads = 32,
                        .memory = 4 * 22 * 3 * wp_kothapalli_access (500, 1),
                        .cores = 8,
                        .depth = 4,
                        .ghz = 1.3 };
  WpKothapalli matrix = { .warps = 8, .threads = 32, .cores = 8, .depth = 4, .ghz = 1.3 };

  ck_assert_double_eq_tol (wp_kothapalli_time (&list, FALSE), 21.1e-3, 0.05e-3);
  ck_assert_double_eq_tol (wp_kothapalli_time (&list, TRUE), 21.1e-3, 0.05e-3);
  for (guint i = 0; i < 2; i++)
    {
      gdouble n = i == 0 ? 128 : 1024, ms = i == 0 ? 0.08 : 40.9;

      matrix.blocks = n * n / (256 * 30);
      matrix.comp = 760 * n / 16;
      matrix.memory = 240 * n / 16;
      assert_close (wp_kothapalli_time (&matrix, FALSE), ms * 1e-3, 0.003);
      assert_close (wp_kothapalli_time (&matrix, TRUE), ms * 1e-3 * 1000 / 760, 0.003);
    }
  ck_assert_double_eq (wp_kothapalli_access (500, 16), 32.25);
}
END_TEST

/* 4 cycles an add on any GPU, (434 + 16) / 16 for a coalesced load in two transactions, 4 x 2 for a
 * conflict of two. */
START_TEST (kothapalli_s_cycles_follow_from_ops)
{
  WpModelOp ops[] = { { .count = 10, .issue = 4, .plain_issue = 4 },
                      { .count = 1, .issue = 16, .plain_issue = 16 },
                      { .count = 1, .memory = TRUE, .plain_completion = 434, .transactions = 2 },
                      { .count = 1, .memory = TRUE, .transactions = 32 }, /* a store */
                      { .count = 3, .issue = 8, .plain_issue = 4, .bytes = 128 } };
  WpModelInput input
      = { .instructions = 16, .n_ops = 5, .ops = ops, .warp_size = 32, .cores = 8, .ilp = 1 };
  WpModelResult result;

  run ("kothapalli-sum", &input, 1, &result);
  ck_assert_double_eq (get_term (&result, "N_comp"), 56);
  ck_assert_double_eq (get_term (&result, "N_memory"), 450.0 / 16 + 434 + 3 * 8);
  assert_close (1 / result.throughput, 56 + 450.0 / 16 + 434 + 24, EXACT);
  run ("kothapalli-max", &input, 1, &result);
  assert_close (1 / result.throughput, 450.0 / 16 + 434 + 24, EXACT);
}
END_TEST

/* ---- Kernels and GPUs that lack something ---- */

static void
check_all (const WpModelInput *input, const gchar *what)
{
  const gdouble warps[] = { 0.25, 1, 2, 48, 1e6 };
  const WpModel *model;

  for (gsize m = 0; (model = wp_model_get (m)) != NULL; m++)
    for (guint w = 0; w < G_N_ELEMENTS (warps); w++)
      {
        WpModelResult result;
        const gchar *why = wp_model_estimate (model, input, warps[w], &result);

        if (why == NULL)
          ck_assert_msg (!isnan (result.throughput), "%s, %s", model->name, what);
        else
          ck_assert_msg (strcmp (why, "its equations have no solution") != 0, "%s, %s", model->name,
                         what);
        for (guint t = 0; t < result.n_terms; t++)
          ck_assert_msg (!isnan (result.terms[t].value), "%s, %s: %s", model->name, what,
                         result.terms[t].name);
      }
}

START_TEST (without_something_every_model_has_a_number_or_says_why_not)
{
  for (guint g = 0; g < N_GPUS; g++)
    for (guint lack = 0; lack < 1 << 10; lack += check_get_stride ())
      {
        g_autofree gchar *what = g_strdup_printf ("%s without %#x", gpus[g].name, lack);
        Mix mix;
        WpModelInput *input = &mix.input;

        fill_mix (&mix, &gpus[g], lack & 1 ? 0 : 32);
        if (lack & 2) /* memory */
          {
            input->memory = input->loads = input->memory_waits = input->path_loads = 0;
            input->path_load_cycles = input->path_load_plain = input->bytes = 0;
            input->mem_latency = input->mem_cpi = input->transactions = 0;
            mix.ops[0] = mix.ops[1];
            input->n_ops -= 1;
            mix.intervals[0] = mix.intervals[1];
            input->n_intervals -= 1;
          }
        if (lack & 4) /* latencies */
          {
            input->latency = input->serial_latency = input->alu_latency = input->mem_latency = 0;
            input->path_load_cycles = input->path_load_plain = 0;
            mix.ops[0].completion = mix.ops[1].completion = 0;
            mix.ops[0].plain_completion = mix.ops[1].plain_completion = 0;
            mix.intervals[0].wait = mix.intervals[1].wait = 0;
          }
        if (lack & 8) /* issue times */
          {
            input->throughput = input->alu_cpi = input->mem_cpi = input->instruction_time = 0;
            mix.ops[0].issue = mix.ops[1].issue = 0;
            mix.ops[0].plain_issue = mix.ops[1].plain_issue = 0;
            input->issue_rate = INFINITY;
            input->cores = 0;
            input->peak_flops = input->peak_bytes = INFINITY;
          }
        if (lack & 16)
          input->n_intervals = 0;
        if (lack & 32)
          input->pin_gbs = 0;
        if (lack & 64)
          input->pin_gbs = input->peak_bytes = input->peak_flops = 0;
        if (lack & 128)
          input->bytes = input->flops = mix.ops[0].bytes = mix.ops[0].transactions = 0;
        if (lack & 256) /* posted: stores alone */
          input->loads = input->memory_waits = input->path_loads = 0;
        if (lack & 512)
          input->has_contention = FALSE;
        check_all (input, what);
      }
}
END_TEST

START_TEST (an_empty_kernel_or_sm_is_no_case_for_any_model)
{
  WpModelInput nothing = { .ilp = 1 };
  WpModelResult result;
  Mix mix;

  fill_mix (&mix, &gpus[FERMI], 32);
  for (gsize m = 0; wp_model_get (m) != NULL; m++)
    {
      ck_assert_str_eq (wp_model_estimate (wp_model_get (m), &nothing, 1, &result),
                        "a warp has no instructions");
      ck_assert_str_eq (wp_model_estimate (wp_model_get (m), &mix.input, 0, &result),
                        "no warp is resident");
    }
}
END_TEST

START_TEST (a_kernel_of_barriers_alone_is_no_trouble)
{
  WpModelInput input = { .instructions = 3,
                         .barriers = 3,
                         .latency = 102,
                         .serial_latency = 102,
                         .schedulers = 1,
                         .issue_rate = 1,
                         .warp_size = 32,
                         .sms = 1,
                         .clock_ghz = 1,
                         .ilp = 1 };

  check_all (&input, "barriers");
}
END_TEST

/* ---- Shipped files ---- */

typedef struct
{
  WpGpu *gpu;
  IdgKernel *kernel;
  WpResolved *resolved;
  WpBounds *bounds;
  WpModelInput input;
} Loaded;

/* KERNEL on GPU without launch latency, which the published models do not know. False if they do
 * not go together. */
static gboolean
load (Loaded *l, const gchar *kernel, const gchar *gpu, const gchar *const *settings)
{
  g_autofree gchar *gpus_folder = g_build_filename (g_getenv ("abs_srcdir"), "configs", NULL);
  g_autofree gchar *gpu_file = g_strdup_printf ("%s/%s.xml", gpus_folder, gpu);
  g_autofree gchar *kernel_file
      = g_strdup_printf ("%s/idg/kernels/%s.xml", g_getenv ("abs_srcdir"), kernel);
  const gchar *search[] = { gpus_folder, NULL };
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  WpBoundsStatus status;

  memset (l, 0, sizeof *l);
  l->gpu = wp_gpu_load (gpu_file, search, NULL);
  ck_assert_ptr_nonnull (l->gpu);
  l->gpu->launch_latency = (WpCycles){ 0, 1 };
  l->kernel = idg_kernel_load (kernel_file, settings, NULL);
  ck_assert_ptr_nonnull (l->kernel);
  options.no_limits = TRUE;
  options.occupancy = 64;
  l->resolved = wp_resolve (l->kernel, l->gpu, &options, NULL);
  if (l->resolved == NULL)
    return FALSE;
  l->bounds = wp_bounds_new (&l->resolved->machine);
  do
    status = wp_bounds_run (l->bounds, G_MAXUINT64);
  while (status == WP_BOUNDS_MORE);
  ck_assert_int_eq (status, WP_BOUNDS_DONE);
  wp_model_input_init (&l->input, l->resolved, l->gpu, l->bounds);
  return TRUE;
}

static void
unload (Loaded *l)
{
  wp_model_input_clear (&l->input);
  wp_bounds_free (l->bounds);
  wp_resolved_free (l->resolved);
  idg_kernel_free (l->kernel);
  wp_gpu_free (l->gpu);
}

#define SAME(field) assert_close (l->field, mix->field, EXACT)

static void
assert_same_input (const WpModelInput *l, const WpModelInput *mix)
{
  SAME (warp_size);
  SAME (sms);
  SAME (schedulers);
  SAME (clock_ghz);
  SAME (issue_rate);
  SAME (pin_gbs);
  SAME (contention_a);
  SAME (contention_b);
  SAME (contention_c);
  SAME (cores);
  SAME (peak_flops);
  SAME (peak_bytes);
  SAME (instructions);
  SAME (arithmetic);
  SAME (memory);
  SAME (barriers);
  SAME (loads);
  SAME (flops);
  SAME (bytes);
  SAME (transactions);
  SAME (alu_latency);
  SAME (alu_cpi);
  SAME (mem_latency);
  SAME (mem_cpi);
  SAME (instruction_time);
  SAME (latency);
  SAME (launch_latency);
  SAME (throughput);
  SAME (serial_latency);
  SAME (ilp);
  SAME (memory_waits);
  SAME (path_loads);
  SAME (path_load_cycles);
  SAME (path_load_plain);
}

static void
assert_same_estimates (const WpModelInput *l, const WpModelInput *mix)
{
  const WpModel *model;

  for (gsize m = 0; (model = wp_model_get (m)) != NULL; m++)
    for (gdouble n = 1; n <= 64; n += 7)
      {
        WpModelResult one, other;
        const gchar *why = wp_model_estimate (model, l, n, &one);

        ck_assert_pstr_eq (why, wp_model_estimate (model, mix, n, &other));
        if (why == NULL)
          assert_close (one.throughput, other.throughput, EXACT);
      }
}

START_TEST (shipped_files_give_the_figures_of_table_4_1)
{
  for (guint g = 0; g < N_GPUS; g++)
    for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
      {
        g_autofree gchar *alpha = g_strdup_printf ("alpha=%g", alphas[i]);
        const gchar *settings[] = { alpha, "rounds=1000000", NULL };
        Loaded l;
        Mix mix;

        ck_assert (load (&l, "volkov-mix", gpus[g].name, settings));
        fill_mix (&mix, &gpus[g], alphas[i]);
        assert_same_input (&l.input, &mix.input);
        assert_same_estimates (&l.input, &mix.input);
        unload (&l);
      }
}
END_TEST

/* The peak is that of multiply-adds in single precision, of which an SM of the H100 has 128 a
 * cycle; not that of its tensors. */
START_TEST (a_product_in_single_precision_is_held_against_its_own_peak)
{
  Loaded l;

  ck_assert (load (&l, "kothapalli-matmul", "h100-sxm", NULL));
  ck_assert_double_eq_tol (l.input.peak_flops, 2 * 128, 1e-9);
  unload (&l);
}
END_TEST

START_TEST (the_main_ops_are_those_that_issue_most)
{
  Loaded l;

  ck_assert (load (&l, "volkov-mix", "gtx680", NULL));
  ck_assert_str_eq (wp_model_input_get_main_op (&l.input, FALSE)->name, "add.f32");
  ck_assert_str_eq (wp_model_input_get_main_op (&l.input, TRUE)->name, "ld.global");
  unload (&l);
  ck_assert (load (&l, "stream", "gtx680", NULL));
  ck_assert_ptr_null (wp_model_input_get_main_op (&l.input, FALSE));
  unload (&l);
}
END_TEST

/* Volkov, section 3.8: both loads of a vector addition are in flight at once. Four chains of loads
 * are four loads in flight, though they come back one after another. */
START_TEST (loads_in_flight_together_are_waited_for_once)
{
  Loaded l;

  ck_assert (load (&l, "vector-add", "gtx680", NULL));
  ck_assert_double_eq (l.input.loads, 2);
  ck_assert_double_eq (l.input.memory, 3);
  ck_assert_double_eq (l.input.memory_waits, 1);
  ck_assert_double_eq (l.input.latency, 343); /* 544 with a launch */
  ck_assert_double_eq (l.input.bytes, 384);
  unload (&l);
  ck_assert (load (&l, "stream-ilp4", "gtx680", NULL));
  ck_assert_double_eq_tol (wp_model_get_mlp (&l.input), 4, EXACT);
  ck_assert_double_eq_tol (l.input.ilp, 4, 0.01);
  unload (&l);
}
END_TEST

/* On Maxwell a root takes 9 cycles for an add, 13 for another root (section 4.7): of a chain, each
 * counts as waited for, the shortest where it is for several. */
START_TEST (a_chain_of_two_ops_has_no_instructions_to_spare)
{
  const gchar *settings[] = { "alpha=1", NULL };
  Loaded l;

  ck_assert (load (&l, "volkov-mix-sfu", "gtx980", settings));
  ck_assert_double_eq_tol (l.input.ilp, 1, 0.02);
  ck_assert_double_eq (l.input.memory, 0);
  ck_assert_double_eq (l.input.memory_waits, 0);
  ck_assert_double_eq_tol (l.input.alu_latency, (9 + 6) / 2.0, EXACT);
  unload (&l);
}
END_TEST

START_TEST (a_diverging_load_keeps_its_plain_latency_apart)
{
  Loaded l;

  ck_assert (load (&l, "permute-random", "gtx680", NULL));
  ck_assert_double_eq (l.input.path_loads, 2);
  ck_assert_double_eq (l.input.path_load_cycles, 301 + 1213);
  ck_assert_double_eq (l.input.path_load_plain, 2 * 301);
  unload (&l);
}
END_TEST

/* Huang et al.'s intervals are all of what the slowest warp issues. */
static void
assert_intervals_are_whole (const Loaded *l, const gchar *what)
{
  const WpBounds *bounds = l->bounds;
  guint64 instructions = 0;

  for (guint i = 0; i < bounds->n_intervals; i++)
    instructions += bounds->intervals[i].times * bounds->intervals[i].instructions;
  ck_assert_msg (
      bounds->n_intervals == 0
          || instructions
                 == bounds->machine->programs[bounds->segments[bounds->slowest].program].n_dynamic,
      "%s: intervals of %" G_GUINT64_FORMAT " instructions in all", what, instructions);
}

static GPtrArray *
list_names (const gchar *folder)
{
  g_autofree gchar *path = g_build_filename (g_getenv ("abs_srcdir"), folder, NULL);
  GDir *dir = g_dir_open (path, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const gchar *name;

  ck_assert_ptr_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".xml"))
      g_ptr_array_add (names, g_strndup (name, strlen (name) - 4));
  g_dir_close (dir);
  return names;
}

START_TEST (every_shipped_kernel_has_a_number_or_a_reason_on_every_shipped_gpu)
{
  g_autoptr (GPtrArray) kernels = list_names ("idg/kernels"), gpu_names = list_names ("configs");
  guint stride = check_get_stride (), n = 0;

  for (guint g = 0; g < gpu_names->len; g++)
    for (guint k = g % stride; k < kernels->len; k += stride)
      {
        const gchar *gpu = g_ptr_array_index (gpu_names, g);
        const gchar *kernel = g_ptr_array_index (kernels, k);
        g_autofree gchar *what = g_strdup_printf ("%s on %s", kernel, gpu);
        Loaded l;

        if (load (&l, kernel, gpu, NULL))
          {
            assert_intervals_are_whole (&l, what);
            check_all (&l.input, what);
            ck_assert_msg (l.input.ilp >= 1, "%s", what);
            n++;
          }
        unload (&l);
      }
  ck_assert_uint_ge (n, 100 / stride);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("models");
  TCase *published = tcase_create ("published figures");
  TCase *lacking = tcase_create ("what is lacking");
  TCase *shipped = tcase_create ("shipped files");

  tcase_add_test (published, the_table_of_models_has_each_under_its_name);
  tcase_add_test (published, volkov_gives_the_five_formulas_of_table_4_2);
  tcase_add_test (published, volkov_needs_most_warps_at_the_cusp);
  tcase_add_test (published, volkov_contention_solves_the_equation_of_section_6_5);
  tcase_add_test (published, volkov_contention_keeps_the_extra_of_a_context);
  tcase_add_test (published, the_guide_needs_the_warps_of_table_4_3);
  tcase_add_test (published, saavedra_and_agarwal_agree_where_switches_are_free);
  tcase_add_test (published, hong_and_kim_s_figures_are_those_of_section_7_1);
  tcase_add_test (published, hong_and_kim_s_equations_hold_for_a_few_rounds);
  tcase_add_test (published, baghsorkhi_s_warp_latency_is_that_of_section_7_2);
  tcase_add_test (published, baghsorkhi_switches_at_barriers_too);
  tcase_add_test (published, baghsorkhi_s_loads_in_flight_together_are_one_wait);
  tcase_add_test (published, zhang_and_owens_take_the_longer_of_measured_times);
  tcase_add_test (published, sim_et_al_s_times_are_those_of_section_7_4);
  tcase_add_test (published, sim_et_al_know_independent_loads);
  tcase_add_test (published, sim_et_al_know_independent_arithmetic_and_stores);
  tcase_add_test (published, huang_et_al_s_formulas_are_those_of_sections_7_5_and_7_6);
  tcase_add_test (published, huang_et_al_s_intervals_may_hold_several_instructions);
  tcase_add_test (published, huang_et_al_s_bandwidth_delay_is_negative_as_in_section_7_7);
  tcase_add_test (published, huang_et_al_s_bandwidth_delay_counts_for_each_wait);
  tcase_add_test (published, huang_et_al_s_cpi_of_diverging_accesses_is_that_of_section_7_8);
  tcase_add_test (published, adding_and_overlapping_are_those_of_sections_4_11_and_4_12);
  tcase_add_test (published, lemeire_s_ridge_point_falls_with_independent_instructions);
  tcase_add_test (published, lemeire_s_slowest_pipeline_counts);
  tcase_add_test (published, roofline_turns_at_its_ridge_point);
  tcase_add_test (published, kothapalli_s_times_are_those_of_the_paper);
  tcase_add_test (published, kothapalli_s_cycles_follow_from_ops);
  /* Millions of assertions: longer than the usual 4 seconds on a busy machine. */
  tcase_set_timeout (lacking, 120);
  tcase_add_test (lacking, without_something_every_model_has_a_number_or_says_why_not);
  tcase_add_test (lacking, an_empty_kernel_or_sm_is_no_case_for_any_model);
  tcase_add_test (lacking, a_kernel_of_barriers_alone_is_no_trouble);
  tcase_add_test (shipped, shipped_files_give_the_figures_of_table_4_1);
  tcase_add_test (shipped, a_product_in_single_precision_is_held_against_its_own_peak);
  tcase_add_test (shipped, the_main_ops_are_those_that_issue_most);
  tcase_add_test (shipped, loads_in_flight_together_are_waited_for_once);
  tcase_add_test (shipped, a_chain_of_two_ops_has_no_instructions_to_spare);
  tcase_add_test (shipped, a_diverging_load_keeps_its_plain_latency_apart);
  tcase_add_test (shipped, every_shipped_kernel_has_a_number_or_a_reason_on_every_shipped_gpu);
  suite_add_tcase (suite, published);
  suite_add_tcase (suite, lacking);
  suite_add_tcase (suite, shipped);
  return suite;
}
