"""The class page in a browser: it loads quickly and without complaint, fits every width, sorts and
filters, is used by keyboard, and hostile names do nothing.

browser_test.py CLASS_REPORT_TEST [SCREENSHOTS]   the test binary writes the pages; screenshots stay
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report" / "html"))
from browser import Browser  # noqa: E402 (it lies in another room)

WRITER = sys.argv[1]
SCREENSHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
WIDTHS = {"wide": 1200, "narrow": 360}
# The promised figures, for 2,000 students. A machine that is busy with other work gets several
# tries: the least is what the page costs.
LONGEST_LOAD_MS = 2000
LONGEST_SORT_MS = 200
TRIES = 5

COUNT = "document.getElementById('students-count').textContent"
ROWS = "[...document.querySelectorAll('.students tbody tr:not(.spacer)')]"
# From the click until the new order is laid out.
SORT = """(async () => {
  const button = [...document.querySelectorAll('.students .sort')]
    .find((each) => each.textContent === '%s');
  const begin = performance.now();
  button.click();
  document.body.getBoundingClientRect();
  return performance.now() - begin;
})()"""


class ClassPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        root = pathlib.Path(cls.folder.name)
        subprocess.run([WRITER, "--gtest_filter=ClassPageTest.IsOneWholePage*"], check=True,
                       stdout=subprocess.DEVNULL,
                       env={**os.environ, "ATTENTION_GRADER_PAGES": str(root)})
        cls.pages = sorted(root.glob("*.html"))
        cls.browser = Browser(root / "profile")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def page(self, name, width="wide"):
        self.browser.resize(WIDTHS[width])
        self.browser.prefer("light")
        self.browser.load(next(page for page in self.pages if page.stem == name))
        return self.browser

    def tearDown(self):
        errors, self.browser.errors = self.browser.errors, []
        self.assertEqual(errors, [])

    def choose(self, name, value):
        self.browser.value(f"(() => {{ const s = document.getElementById('choose-{name}');"
                           f"s.value = '{value}'; s.dispatchEvent(new Event('change')); }})()")

    def search(self, text):
        self.browser.value("(() => { const s = document.getElementById('search');"
                           f"s.value = '{text}'; s.dispatchEvent(new Event('input')); }})()")

    def test_every_page_loads_without_complaint_and_fits(self):
        self.assertGreater(len(self.pages), 5)
        for page in self.pages:
            for scheme in ("light", "dark"):
                for name, width in WIDTHS.items():
                    with self.subTest(page=page.stem, scheme=scheme, width=width):
                        self.browser.resize(width)
                        self.browser.prefer(scheme)
                        self.browser.load(page)
                        taken = self.browser.value("document.documentElement.scrollWidth")
                        self.assertLessEqual(taken, width)
                        if SCREENSHOTS:
                            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
                            self.browser.screenshot(
                                SCREENSHOTS / f"{page.stem}-{scheme}-{name}.png")

    def test_two_thousand_students_load_and_sort_in_time(self):
        self.page("two_thousand")
        loads = []
        for _ in range(TRIES):
            self.page("two_thousand")
            loads.append(self.browser.value(
                "(({loadEventEnd, startTime}) => loadEventEnd - startTime)("
                "performance.getEntriesByType('navigation')[0])"))
        sorts = {}
        for title in ("Student", "Id", "Score", "Misconceptions", "Lost"):
            # Each on a fresh page: an order that was used before is remembered.
            times = []
            for _ in range(TRIES):
                self.page("two_thousand")
                times.append(self.browser.value(SORT % title))
            sorts[title] = min(times)
        print(f"load {min(loads):.0f} ms, sort " +
              ", ".join(f"{title} {time:.0f} ms" for title, time in sorts.items()),
              file=sys.stderr)
        self.assertLess(min(loads), LONGEST_LOAD_MS)
        self.assertLess(max(sorts.values()), LONGEST_SORT_MS)

    def test_document_stays_small(self):
        browser = self.page("two_thousand")
        self.assertLess(browser.value("document.querySelectorAll('*').length"), 5000)
        self.assertLess(browser.value(ROWS + ".length"), 60)

    def test_text_stands_out_from_what_lies_behind_it(self):
        for page in self.pages:
            for scheme in ("light", "dark"):
                with self.subTest(page=page.stem, scheme=scheme):
                    self.browser.resize(WIDTHS["wide"])
                    self.browser.prefer(scheme)
                    self.browser.load(page)
                    worst = self.browser.worst_contrast()
                    self.assertGreaterEqual(worst["ratio"], 4.5, worst["text"])

    def test_sorting_puts_rows_in_order_and_says_so(self):
        browser = self.page("two_thousand")
        scores = ROWS + ".map((row) => row.querySelector('td.number').textContent)"
        browser.value(SORT % "Score")
        values = [float(text) for text in browser.value(scores)]
        self.assertEqual(values, sorted(values, reverse=True))
        state = "document.querySelector('.students [aria-sort]').getAttribute('aria-sort')"
        self.assertEqual(browser.value(state), "descending")
        browser.value(SORT % "Score")
        self.assertEqual(browser.value(state), "ascending")
        self.assertEqual(browser.value(scores)[0], "", "no score comes first now")

    def test_scrolling_shows_every_student(self):
        browser = self.page("two_thousand")
        names = set()
        steps = browser.value("(() => { const v = document.querySelector('.viewport');"
                              "return Math.ceil(v.scrollHeight / v.clientHeight) * 2; })()")
        for step in range(steps + 1):
            browser.value("(() => { const v = document.querySelector('.viewport');"
                          f"v.scrollTop = {step} * v.clientHeight / 2; }})()")
            browser.value("new Promise((done) => requestAnimationFrame("
                          "() => requestAnimationFrame(done)))")
            names.update(browser.value(ROWS + ".map((row) => row.querySelector('.id').textContent)"))
        self.assertEqual(len(names), 2000)

    def test_filters_narrow_the_table_and_the_heatmap(self):
        browser = self.page("two_thousand")
        self.assertEqual(browser.value(COUNT), "2,000 students")
        self.choose("result", "not_built")
        some = browser.value(COUNT)
        self.assertRegex(some, r"^\d+ students of 2,000$")
        results = browser.value(ROWS + ".map((row) => row.querySelector('.result').textContent)")
        self.assertEqual(set(results), {"does not compile"})
        self.search("zoë")
        self.assertNotEqual(browser.value(COUNT), some)
        browser.value("document.querySelector('.controls button').click()")
        self.assertEqual(browser.value(COUNT), "2,000 students")
        self.search("nobody is called so")
        self.assertEqual(browser.value(COUNT), "0 students of 2,000")

    def test_misconception_shows_its_students(self):
        browser = self.page("two_thousand")
        expected = browser.value("document.querySelector('.misconception .share span').textContent")
        browser.value("document.querySelector('button.only').click()")
        self.assertEqual(browser.value(COUNT).split()[0], expected.split()[0])

    def test_student_opens_with_all_there_is(self):
        browser = self.page("thirty")
        browser.value("document.querySelector('.open').click()")
        self.assertTrue(browser.value("document.getElementById('detail').open"))
        self.assertGreaterEqual(browser.value("document.querySelectorAll('#detail dt').length"), 3)
        browser.press("Escape", 27)
        self.assertFalse(browser.value("document.getElementById('detail').open"))

    def test_links_lead_to_reports_beside_the_page(self):
        browser = self.page("thirty")
        links = browser.value("[...document.querySelectorAll('a[href]')].map((a) => "
                              "a.getAttribute('href')).filter((href) => href[0] !== '#')")
        self.assertGreater(len(links), 10)
        for link in links:
            self.assertRegex(link, r"^students/s\d+/report\.html$")

    def test_keyboard_reaches_and_works_everything(self):
        browser = self.page("thirty")
        reached = set()
        for _ in range(120):
            browser.press("Tab", 9)
            reached.add(browser.value(
                "document.activeElement.id || document.activeElement.className"))
        self.assertLessEqual({"theme", "heat-reader", "search", "choose-result", "sort", "open",
                              "viewport"}, reached)
        browser.value("document.getElementById('heat-reader').focus()")
        reading = "document.getElementById('heat-reading').textContent"
        browser.press("ArrowRight", 39)
        first = browser.value(reading)
        self.assertRegex(first, r": shapes\.ledger .+\.$")
        browser.press("ArrowRight", 39)
        second = browser.value(reading)
        self.assertNotEqual(first, second)
        browser.press("ArrowDown", 40)
        self.assertIn("shapes.results", browser.value(reading))
        third = browser.value(reading)
        browser.press("Enter", 13)
        self.assertTrue(browser.value("document.getElementById('detail').open"))
        browser.press("Escape", 27)
        self.assertEqual(browser.value(reading), third, "goes on where it was")

    def test_heatmap_is_drawn(self):
        for name in ("thirty", "two_thousand"):
            browser = self.page(name)
            colors = browser.value("""(() => {
              const canvas = document.querySelectorAll('.strip canvas')[12];
              const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const colors = new Set();
              for (let i = 0; i < bytes.length; i += 4) colors.add(bytes.slice(i, i + 4).join());
              return colors.size; })()""")
            self.assertGreater(colors, 2)

    def test_structure_says_what_is_what(self):
        for page in self.pages:
            with self.subTest(page=page.stem):
                self.browser.load(page)
                self.assertEqual(self.browser.structure_faults("[role=region], [role=application]"), [])
                unlabelled = self.browser.value(
                    "[...document.querySelectorAll('input, select')].filter("
                    "(each) => !each.labels.length).length")
                self.assertEqual(unlabelled, 0)

    def test_nobody_and_one_are_classes_too(self):
        browser = self.page("nobody")
        self.assertIsNone(browser.value("document.getElementById('students')"))
        browser = self.page("one")
        self.assertEqual(browser.value(COUNT), "1 student")
        self.assertEqual(browser.value(ROWS + ".length"), 1)

    def test_hostile_names_do_nothing(self):
        browser = self.page("hostile")
        browser.value("document.querySelector('.open').click()")
        self.assertIsNone(browser.value("window.intruder"))
        self.assertEqual(browser.value("document.querySelectorAll('img, iframe, object').length"), 0)
        self.assertEqual(browser.value("document.scripts.length"), 2)
        schemes = browser.value("[...document.querySelectorAll('a[href]')].map((a) => a.protocol)")
        self.assertEqual(set(schemes), {"file:"})

    def test_prints_on_paper_with_every_student(self):
        browser = self.page("two_thousand")
        self.assertGreaterEqual(browser.pdf_pages(), 20)
        # Buttons are not painted again where the head of the table is repeated.
        titles = browser.value("[...document.querySelectorAll('.students thead th')].map("
                               "(th) => [th.dataset.title, th.querySelector('button').textContent])")
        self.assertTrue(titles and all(title == words for title, words in titles))
        self.assertLess(browser.value(ROWS + ".length"), 60, "and is small again")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
