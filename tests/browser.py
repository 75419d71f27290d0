# SPDX-License-Identifier: MIT
"""Drives the pages of browser.sh in headless Chromium."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import headless


class Page(headless.Page):
    def where(self):
        self.frame()
        return self.find("#where").text

    def keys(self, *keys):
        self.run("document.getElementById('strips').focus({ preventScroll: true })")
        ActionChains(self.driver).send_keys(*keys).perform()
        self.frame()

    def point(self, kind, share, row, run=0):
        """Moves the pointer to SHARE of the visible time, in ROW of a strip."""
        canvas = self.find(f"canvas[data-kind='{kind}'][data-run='{run}']")
        self.run("arguments[0].scrollIntoView({ block: 'center' })", canvas)
        self.frame()
        at = self.run("const c = arguments[0], r = c.getBoundingClientRect();"
                      "return [+c.dataset.left, +c.dataset.right, +(c.dataset.row || 0), r.width, r.height]", canvas)
        left, right, height, wide, high = at
        x, y = left + share * (right - left), (row + 0.4) * height or 10
        ActionChains(self.driver).move_to_element_with_offset(canvas, round(x - wide / 2), round(y - high / 2)).perform()
        self.frame()

    def tip(self):
        tip = self.find("#tip")
        return tip.text if tip.is_displayed() else ""


def check_zoom(page):
    whole = page.where()
    page.check(whole == "0 to 452 cycles (the whole run)", f"the whole is {whole}")
    page.find("#closer").click()
    page.check(page.where() == "113 to 339 cycles", f"zoomed in: {page.where()}")
    page.keys("+")
    page.check(page.where() == "170 to 283 cycles", f"zoomed in by key: {page.where()}")
    page.keys(Keys.ARROW_LEFT)
    page.check(page.where() == "153 to 266 cycles", f"moved: {page.where()}")
    page.keys(Keys.END)
    page.check(page.where() == "339 to 452 cycles", f"at the end: {page.where()}")
    page.keys("-", "-", "-")
    page.check(page.where() == whole, f"zoomed out: {page.where()}")
    page.keys("+", Keys.HOME)
    page.check(page.where() == "0 to 226 cycles", f"at the beginning: {page.where()}")
    page.point("lanes", 0.5, 3)
    ActionChains(page.driver).click_and_hold().move_by_offset(-100, 0).release().perform()
    page.check(page.where() not in ("0 to 226 cycles", whole), f"dragged: {page.where()}")
    before = page.where()
    page.point("lanes", 0.5, 3)
    ActionChains(page.driver).double_click().perform()
    page.check(page.where() != before, "a double click does not zoom")
    page.point("lanes", 0.25, 3)
    ActionChains(page.driver).key_down(Keys.SHIFT).click_and_hold().move_by_offset(100, 0).release().key_up(Keys.SHIFT).perform()
    page.check(page.where() != before, "a marked part is not zoomed to")
    page.keys("0")
    page.check(page.where() == whole, f"whole again: {page.where()}")


def check_hover(page):
    """The second load of warp 2: listing 3.5 of the thesis, and the table of --issues."""
    page.point("lanes", 200 / 452.107623, 2)
    lines = page.tip().split("\n")
    for line in ("warp 2 of block 0, slot 2", "7 ld.global.f32 LD R0, [R0]", "issues at 33",
                 "waited for its turn after its own last issue (ILP latency), 3 cycles",
                 "needs 5 add.s32, there at 30.666667 (92/3)",
                 "starts at 104.738416 (70070/669) in memory, queued for 71.738416 (47993/669) cycles",
                 "complete at 405.738416 (271439/669) (\u039b 301)"):
        page.check(line in lines, f"the tip lacks \"{line}\": {lines}")
    page.point("lives", 0.5, 0)
    page.check("warp " in page.tip() and "lives " in page.tip(), f"a life says {page.tip()}")
    page.point("occupancy", 0.5, 0)
    said = page.find(".strip:has(canvas[data-kind='occupancy']) output").text
    page.check(said == "8", f"the occupancy is {said}")


def check_keys(page):
    page.keys("0", "n", "n", "n", "n")
    spoken = page.find("#spoken").get_attribute("textContent")
    page.check("3 mad.lo.s32" in spoken and "waited for the result of 2 mov.u32, 9 cycles" in spoken, f"spoken: {spoken}")
    page.keys(Keys.ARROW_DOWN)
    page.check("warp 1 of block 0" in page.tip(), f"down: {page.tip()}")
    page.keys("p", Keys.ENTER)
    page.check("2 mov.u32" in page.tip() and page.where() != "0 to 452 cycles (the whole run)", f"back: {page.tip()}")
    page.keys(Keys.ESCAPE)
    page.check(page.tip() == "", "Escape leaves a tip")
    page.keys("0")


def check_access(page):
    """Every control has a name and shows when it is in focus."""
    nameless = page.run("""
      return [...document.querySelectorAll("button, [tabindex='0'], canvas:not([aria-hidden]), svg[role=img], input")].filter((one) =>
        !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")?.textContent.trim())).map((one) => one.outerHTML)""")
    page.check(not nameless, f"without a name: {nameless}")
    seen = []
    for _ in range(18):
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
        seen.append(page.run("""
          const one = document.activeElement, style = getComputedStyle(one);
          return [one.id || one.textContent.trim(), style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2]"""))
    names = [name for name, _ in seen]
    page.check(all(visible for _, visible in seen), f"a focus is not to be seen: {seen}")
    page.check(names[0] == "theme" and [name for name in names if name in ("earlier", "whole", "strips")] == ["earlier", "whole", "strips"],
               f"the order of tabs is {names}")


def check_readings(page):
    """What is read at the pointer, which rests, follows a zoom by keys; so does that of what was selected by keys."""
    output = ".strip:has(canvas[data-kind='flight']) output"
    page.keys("0")
    page.point("flight", 0.3, 0)
    before, at = page.find(output).text, page.find("#cross").rect["x"]
    page.keys("+", "+", Keys.HOME)
    after = page.find(output).text
    page.check((before, after) == ("compute 0, memory 16", "compute 4, memory 12"), f"in flight {before} at 30% of all, then {after} at 30% of a quarter")
    page.check(abs(page.find("#cross").rect["x"] - at) < 2, "the cross is not where the pointer is")
    page.keys("n", "n", Keys.ENTER)
    page.check(page.find(output).text != "" and page.find("#cross").is_displayed(), "nothing is read at what is selected")
    page.keys(Keys.ESCAPE, "0")


CHART = """
  const found = [], svg = document.querySelector(".chart > svg");
  const lines = [...svg.querySelectorAll("path[fill=none], path[stroke-dasharray]")].filter((path) => path.getAttribute("stroke-width") || path.getAttribute("stroke-dasharray"));
  for (const label of svg.querySelectorAll("text.label"))
    {
      const box = label.getBBox(), back = label.getCTM().inverse().multiply(svg.getCTM());
      for (const line of lines)
        for (let at = 0; at <= line.getTotalLength(); at += 2)
          {
            const point = line.getPointAtLength(at).matrixTransform(back);
            if (point.x > box.x && point.x < box.x + box.width && point.y > box.y + 2 && point.y < box.y + box.height - 2)
              {
                found.push(label.textContent);
                at = Infinity;
              }
          }
    }
  return found;"""


def check_chart(page):
    """No label crosses a line, whichever models are drawn; all points are in the key, and not above the bound."""
    for model in ("", "volkov", "lemeire", "overlapping"):
        if model:
            page.run("document.querySelector(`label[data-model=${arguments[0]}] input`).click()", model)
        page.check(page.run(CHART) == [], f"labels cross lines with {model}: {page.run(CHART)}")
    page.check("warps" in page.find(".chart .legend").text, f"the key of the drawing has no point: {page.find('.chart .legend').text}")
    above = page.run("""
      const svg = document.querySelector(".chart > svg"), line = svg.querySelector(".roofline"), all = line.getTotalLength();
      return [...svg.querySelectorAll("path[transform]")].filter((mark) => {
        const { e, f } = mark.transform.baseVal.consolidate().matrix;
        let at = 0;
        while (at < all && line.getPointAtLength(at).x < e)
          at += 0.5;
        return f < line.getPointAtLength(at).y - 1;
      }).length""")
    page.check(above == 0, f"{above} points are above the bound")


def check_colours(page):
    """Each colour of the legend has one meaning."""
    for theme in range(2):
        pairs = page.run("""
          const pairs = [...document.querySelectorAll("#legend > span")].map((one) => [one.querySelector("i").style.background, one.textContent]);
          document.querySelectorAll("#stalls-body tbody th").forEach((one) => one.querySelector("i") && pairs.push([one.querySelector("i").style.background, one.textContent.trim()]));
          return pairs""")
        meanings = {}
        for colour, meaning in pairs:
            meanings.setdefault(colour, set()).add(meaning.replace("at a barrier", "barrier"))
        page.check(all(len(names) == 1 for names in meanings.values()), f"a colour has two meanings: {meanings}")
        page.find("#theme").click()


def ask(page, query):
    """Types QUERY into the search box, and returns what it says of it."""
    page.run("document.getElementById('search').focus(); document.getElementById('search').select()")
    ActionChains(page.driver).send_keys(Keys.BACKSPACE, query).perform()
    page.frame()
    return page.find("#found").text


def check_search(page):
    """By op, text, warp, block, slot, number; Enter goes through what was found; a row stays pinned."""
    page.keys("0")
    for query, said in (("ld.global", "16 instructions"), ("LD warp 3", "2 instructions"), ("block 0 warp=3 #7", "1 instruction"),
                        ("slot:5", "12 instructions"), ("imad", "8 instructions"), ("<b>", "nothing found"), (" ", "")):
        page.check(ask(page, query) == said, f"of {query} it says {page.find('#found').text}")
    ask(page, "ld warp 3")
    ActionChains(page.driver).send_keys(Keys.ENTER, Keys.ENTER).perform()
    page.frame()
    page.check("7 ld.global" in page.tip() and "warp 3 of block 0" in page.tip() and page.find("#found").text == "2 of 2 instructions",
               f"the second is {page.tip()}")
    row = page.find("#source-lines .at").text
    page.check("LD R0, [R0]" in row, f"the listing marks {row}")
    page.find("#pin").click()
    page.check(page.find("canvas[data-kind='pinned']").is_displayed(), "no row is pinned")
    page.point("pinned", 200 / 452.107623, 0)
    page.check("warp 3 of block 0" in page.tip(), f"the pinned row says {page.tip()}")
    page.keys("n", "k")
    page.run("document.getElementById('source-lines').focus({ preventScroll: true })")
    ActionChains(page.driver).send_keys(Keys.HOME, Keys.ARROW_DOWN, Keys.ENTER).perform()
    page.frame()
    page.check(page.find("#search").get_attribute("value") == "#1" and page.find("#found").text == "1 of 8 instructions", "a line that was chosen is not looked for")
    page.keys("/")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.frame()
    page.check(page.find("#found").text == "" and page.tip() == "", "Escape leaves what was found")
    page.run("document.querySelector(`canvas[data-kind=lanes]`).scrollIntoView({ block: 'center' })")
    canvas = page.find("canvas[data-kind='lanes']")
    for wanted in (26, 0):
        ActionChains(page.driver).move_to_element_with_offset(canvas, 30 - round(canvas.size["width"] / 2), 40 - round(canvas.size["height"] / 2)).click().perform()
        page.frame()
        page.check(page.run("return document.querySelector('canvas[data-kind=pinned]').offsetHeight") == wanted, f"pinned rows are not {wanted} high")


def check_touch(driver):
    """A tap says what is there, and it stays."""
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page = Page(driver, "vector-add.html", width=400)
    page.run("document.querySelector(`canvas[data-kind=lanes]`).scrollIntoView({ block: 'center' })")
    page.frame()
    place = page.find("canvas[data-kind='lanes']").rect
    x, y = place["x"] + 60 + 0.5 * (place["width"] - 70), place["y"] - page.run("return window.scrollY") + 10
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.frame()
    page.check("warp 0 of block 0" in page.tip(), f"a tap says {page.tip()}")
    page.finish()
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def check_theme(page):
    first = page.run("return [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]")
    page.find("#theme").click()
    second = page.run("return [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]")
    page.check({first[0], second[0]} == {"light", "dark"} and first[1] != second[1], f"themes: {first}, {second}")


def check_vector_add(driver):
    page = Page(driver, "vector-add.html")
    page.check(page.driver.title == "vector-add on gtx680" == page.find("h1").text, f"the title is {page.driver.title}")
    page.check("Latency-bound" in page.find("#verdict").text, "there is no verdict")
    page.check("544 cycles" in page.find("#bounds-body").text, "there is no latency bound")
    page.check(page.run("return document.querySelectorAll('#graph svg rect').length") >= 12, "the graph lacks instructions")
    check_access(page)
    check_zoom(page)
    check_hover(page)
    check_keys(page)
    check_readings(page)
    check_chart(page)
    check_search(page)
    check_colours(page)
    check_theme(page)
    page.finish()
    dark = Page(driver, "vector-add.html", theme="dark")
    dark.check(dark.run("return document.documentElement.dataset.theme") == "dark", "a dark desktop has a light page")
    check_theme(dark)
    dark.finish()


def check_barrier(driver):
    page = Page(driver, "barrier.html")
    tips = []
    for _ in range(6):
        page.keys("n")
        tips.append(page.tip())
    page.check(any("arrives at" in tip and "released at" in tip for tip in tips), f"no barrier: {tips}")
    page.check(any("the release of the barrier" in tip for tip in tips), f"nothing waits for the barrier: {tips}")
    page.finish()


def check_compare(driver):
    page = Page(driver, "compare.html")
    titles = [title.text for title in driver.find_elements("css selector", ".run-title")]
    page.check([title.split(":")[0] for title in titles] == ["rr", "gty"], f"runs: {titles}")
    page.check(page.where() == "0 to 47845 cycles (the whole run)", f"the longer one is not the whole: {page.where()}")
    page.keys("+", "+", "+", "+", Keys.HOME)
    for run in (0, 1):
        page.point("lanes", 0.5, 0, run)
        page.check(page.tip().startswith(("rr: warp", "gty: warp")[run]), f"run {run} says {page.tip()}")
    page.find("#together").click()
    order = page.run("return [...document.querySelectorAll('#strips canvas')].map((c) => c.dataset.kind + c.dataset.run)")
    page.check(order[:4] == ["occupancy0", "occupancy1", "flight0", "flight1"], f"together: {order}")
    page.find("#together").click()
    order = page.run("return [...document.querySelectorAll('#strips canvas')].map((c) => c.dataset.run)")
    page.check(order == sorted(order), f"run by run: {order}")
    heads = [cell.text for cell in driver.find_elements("css selector", "#figures thead th")]
    page.check(heads == ["", "rr", "gty"], f"columns: {heads}")
    page.finish()


def check_path(driver):
    """A path of three pipelines, worked out by hand in golden/path.test; the page has SM 0."""
    page = Page(driver, "path.html")
    names = [name.text for name in driver.find_elements("css selector", ".strip .name")]
    page.check(any("shared by SMs 0-1" in name for name in names), f"nobody shares memory: {names}")
    page.point("units", 13 / 40, 2)
    lines = page.tip().split("\n")
    for line in ("warp 0 of block 0, slot 0", "issues at 10", "then l2 from 10 until 12",
                 "then memory from 12 until 15, after 2 cycles in its queue"):
        page.check(line in lines, f"the tip lacks \"{line}\": {lines}")
    page.point("units", 16 / 40, 2)
    page.check(page.tip() == "", f"what SM 1 has of memory says {page.tip()}")
    page.finish()


def check_lines(driver):
    """The source of golden/by-line.cu beside what is known of its lines; pages without lines have no such section."""
    page = Page(driver, "lines.html")
    rows = [[cell.text for cell in row.find_elements("css selector", "th, td")]
            for row in driver.find_elements("css selector", "#lines tbody tr")]
    page.check([row[0] for row in rows[:3]] == ["1", "2", "3"] and "__global__" in rows[0][1] and rows[0][2] == "",
               f"the source does not begin with its first line: {rows[:3]}")
    hot = next(row for row in rows if row[0] == "5")
    page.check(hot[1].strip() == "s += x[i];" and hot[2] == "60800" and "long_scoreboard" in hot[5], f"line 5 is {hot}")
    page.check("<b>" in rows[6][1] and not driver.find_elements("css selector", "#lines b, #source code b"), f"the source is no text: {rows[6]}")
    beside = [row.text for row in driver.find_elements("css selector", "#source-lines li")]
    page.check(len(beside) == len(rows) and "s += x[i];" in beside[4] and "<b>" in beside[6], f"beside the time line stands {beside}")
    driver.find_elements("css selector", "#source-lines li")[4].click()
    page.frame()
    said = page.find("#found").text
    page.check(page.find("#search").get_attribute("value") == "by-line.cu:5" and said.startswith("1 of "), f"line 5 was found: {said}")
    page.check("s += x[i];" in page.find("#source-lines .at").text and "by-line.cu:5" in page.tip(), "the line is not marked")
    page.check(ask(page, "line 5") == said and ask(page, "line 2") == "nothing found", f"by number: {page.find('#found').text}")
    page.finish()
    page = Page(driver, "empty.html")
    page.check(not driver.find_elements("css selector", "#lines"), "a section by line without lines")
    page.finish()


def main():
    driver = headless.start()
    try:
        check_vector_add(driver)
        check_barrier(driver)
        check_compare(driver)
        check_path(driver)
        check_lines(driver)
        check_touch(driver)
        long = Page(driver, "long.html")
        long.check("are kept: all before cycle" in long.find("#kept").text, f"a part is not said to be one: {long.find('#kept').text}")
        long.keys("+", "+", Keys.HOME)
        long.finish()
        names = Page(driver, "names.html")
        names.check(names.find("h1").text == "</script><script>document.title='no'</script> on simple", f"the heading is {names.find('h1').text}")
        names.check(driver.title != "no" and names.run("return document.images.length === 0 && ![...document.querySelectorAll('b')].some((b) => b.textContent === 'bold')"), "a name is not text")
        names.finish()
        Page(driver, "empty.html").finish()
        warned = Page(driver, "warned.html")
        boxes = [box.text for box in driver.find_elements("css selector", "#verdict .warning")]
        warned.check(boxes[:1] == ["Warning: lower-bound waits are <b>not</b> modelled"], f"the first box is {boxes[:1]}")
        warned.check(any("occupancy=44 gto" in box and "occupancy-not-reached" in box for box in boxes), f"the boxes are {boxes}")
        warned.check("No verdict: lower-bound" in warned.find("#verdict .of-all").text, "there is a verdict")
        warned.check("on what was assumed" in warned.find("#verdict .notes summary").text, "there are no notes")
        warned.finish()
        for name in ("vector-add.html", "compare.html", "lines.html"):
            narrow = Page(driver, name, width=400)
            narrow.check(narrow.run("return document.documentElement.scrollWidth") <= 400, "a narrow page is wider than its window")
            unsaid = narrow.run("return [...document.querySelectorAll('body *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto' && !(one.classList.contains('scrolls') && one.tabIndex === 0)).map((one) => one.outerHTML.slice(0, 80))")
            narrow.check(not unsaid, f"what scrolls does not say so: {unsaid}")
            narrow.check(narrow.run("return document.querySelectorAll('.scrolls').length") > 0, "nothing scrolls")
            check_chart(narrow)
            narrow.finish()
        queued = Page(driver, "queued.html")
        check_chart(queued)
        queued.check(queued.where() == "0 to 86 cycles (the whole run)" and "85.995086" in queued.find("#figures").text, f"stores that are queued: {queued.where()}")
        queued.check("100.0%" in queued.find("#figures").text, "the pipeline is not in use all the time")
        queued.finish()
    finally:
        driver.quit()
    headless.report()


main()
