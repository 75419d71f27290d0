/* SPDX-License-Identifier: MIT */
/* Textures and surfaces: named, as nothing executes them; their fields are not decoded. An op has
 * an opcode for each way to name the texture: bound, by handle, by a uniform register. */
#include "exec/sass/wp-sass-table.h"

#define NAMED(OP, CODE)                                                                            \
  {                                                                                                \
    .op = WP_SASS_##OP, .code = CODE, .words = NO_WORDS, .slots = NO_SLOTS                         \
  }
const WpSassRow wp_sass_rows_texture[] = {
  NAMED (TEX, 0x361),       NAMED (TEX, 0xb60),
  NAMED (TEX, 0xb62),       NAMED (TEX, 0xd61),
  NAMED (TEX, 0xf60),       NAMED (TLD, 0x367),
  NAMED (TLD, 0xb66),       NAMED (TLD, 0xb68),
  NAMED (TLD, 0xd67),       NAMED (TLD, 0xf66),
  NAMED (TLD, 0xf67),       NAMED (TLD4, 0x364),
  NAMED (TLD4, 0xb63),      NAMED (TLD4, 0xb65),
  NAMED (TLD4, 0xd64),      NAMED (TLD4, 0xf63),
  NAMED (TLD4, 0xf64),      NAMED (TXD, 0x36d),
  NAMED (TXD, 0xb6c),       NAMED (TXD, 0xb6e),
  NAMED (TXD, 0xd6d),       NAMED (TXD, 0xf6c),
  NAMED (TXD, 0xf6d),       NAMED (TXQ, 0x370),
  NAMED (TXQ, 0xb6f),       NAMED (TXQ, 0xb71),
  NAMED (TXQ, 0xf6f),       NAMED (TXQ, 0xf70),
  NAMED (TMML, 0x36a),      NAMED (TMML, 0xb69),
  NAMED (TMML, 0xb6b),      NAMED (TMML, 0xf69),
  NAMED (TMML, 0xf6a),      NAMED (FOOTPRINT, 0x373),
  NAMED (FOOTPRINT, 0xb72), NAMED (FOOTPRINT, 0xb74),
  NAMED (FOOTPRINT, 0xd73), NAMED (FOOTPRINT, 0xf73),
  NAMED (FOOTPRINT, 0xf74), NAMED (SULD, 0x797),
  NAMED (SULD, 0x799),      NAMED (SULD, 0x998),
  NAMED (SULD, 0x99a),      NAMED (SULD, 0xb97),
  NAMED (SULD, 0xb99),      NAMED (SULD, 0xf97),
  NAMED (SULD, 0xf98),      NAMED (SULD, 0xf99),
  NAMED (SULD, 0xf9a),      NAMED (SUST, 0x79b),
  NAMED (SUST, 0x79d),      NAMED (SUST, 0x99c),
  NAMED (SUST, 0x99e),      NAMED (SUST, 0xb9b),
  NAMED (SUST, 0xb9d),      NAMED (SUST, 0xf9b),
  NAMED (SUST, 0xf9c),      NAMED (SUST, 0xf9d),
  NAMED (SUST, 0xf9e),      NAMED (SUATOM, 0x394),
  NAMED (SUATOM, 0x396),    NAMED (SUATOM, 0x593),
  NAMED (SUATOM, 0x595),    NAMED (SUATOM, 0x793),
  NAMED (SUATOM, 0x795),    NAMED (SUATOM, 0xf93),
  NAMED (SUATOM, 0xf94),    NAMED (SUATOM, 0xf95),
  NAMED (SUATOM, 0xf96),    NAMED (SURED, 0x3a0),
  NAMED (SURED, 0x59f),     NAMED (SURED, 0x79f),
  NAMED (SURED, 0xf9f),     NAMED (SURED, 0xfa0),
  NAMED (SUQUERY, 0x7b3),   NAMED (SUQUERY, 0x9b3),
  NAMED (SUQUERY, 0xbb3),   NAMED (SUQUERY, 0xdb3),
  NAMED (SUQUERY, 0xfb3),   { 0 },
};
