"""The page in a browser: it loads without complaint, fits every width, folds, changes its theme,
is used by keyboard, and says what assistive programs need.

browser_test.py HTML_REPORT_TEST [SCREENSHOTS]   the test binary writes the pages; screenshots stay
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

WRITER = sys.argv[1]
SCREENSHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
WIDTHS = {"wide": 1100, "narrow": 360}


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        root = pathlib.Path(cls.folder.name)
        subprocess.run([WRITER, "--gtest_filter=HtmlReportTest.IsOneWholePage*"], check=True,
                       stdout=subprocess.DEVNULL,
                       env={**os.environ, "ATTENTION_GRADER_PAGES": str(root)})
        cls.pages = sorted(root.glob("*.html"))
        cls.browser = Browser(root / "profile")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def page(self, name):
        self.browser.resize(WIDTHS["wide"])
        self.browser.prefer("light")
        self.browser.load(next(page for page in self.pages if page.stem == name))
        return self.browser

    def tearDown(self):
        errors, self.browser.errors = self.browser.errors, []
        self.assertEqual(errors, [])

    def test_every_page_loads_without_complaint_and_fits(self):
        self.assertGreater(len(self.pages), 6)
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

    def test_text_stands_out_from_what_lies_behind_it(self):
        for page in self.pages:
            for scheme in ("light", "dark"):
                with self.subTest(page=page.stem, scheme=scheme):
                    self.browser.resize(WIDTHS["wide"])
                    self.browser.prefer(scheme)
                    self.browser.load(page)
                    worst = self.browser.worst_contrast()
                    self.assertGreaterEqual(worst["ratio"], 4.5, worst["text"])

    def test_cards_fold_and_unfold(self):
        browser = self.page("masked_too_late")
        opened = "document.querySelectorAll('details.failure[open]').length"
        count = browser.value("document.querySelectorAll('details.failure').length")
        self.assertEqual(browser.value(opened), count)
        browser.value("document.getElementById('unfold').click()")
        self.assertEqual(browser.value(opened), 0)
        self.assertEqual(browser.value("document.getElementById('unfold').textContent"),
                         "Unfold all")
        browser.value("document.querySelector('.objectives a').click()")
        browser.value("new Promise((done) => setTimeout(done, 200))")
        self.assertEqual(browser.value(opened), 1, "a link unfolds its card")

    def test_theme_changes_and_is_kept(self):
        browser = self.page("masked_too_late")
        color = "getComputedStyle(document.documentElement).backgroundColor"
        light = browser.value(color)
        browser.value("document.getElementById('theme').click()")
        self.assertEqual(browser.value(color), light, "light, as before")
        browser.value("document.getElementById('theme').click()")
        dark = browser.value(color)
        self.assertNotEqual(dark, light)
        self.page("masked_too_late")
        self.assertEqual(browser.value(color), dark, "kept")
        browser.value("document.getElementById('theme').click()")
        self.assertEqual(browser.value(color), light, "as the system again")

    def test_keyboard_reaches_and_works_everything(self):
        browser = self.page("masked_too_late")
        reached = set()
        for _ in range(80):
            browser.press("Tab", 9)
            reached.add(browser.value("document.activeElement.tagName"))
        self.assertLessEqual({"A", "BUTTON", "SUMMARY"}, reached)
        browser.value("document.querySelector('details.failure > summary').focus()")
        browser.press("Enter", 13)
        self.assertFalse(browser.value("document.querySelector('details.failure').open"))

    def test_structure_says_what_is_what(self):
        for page in self.pages:
            with self.subTest(page=page.stem):
                self.browser.load(page)
                self.assertEqual(self.browser.structure_faults("[role=group]"), [])
                lost = self.browser.value(
                    "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => "
                    "a.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id))")
                self.assertEqual(lost, [])
                escaping = self.browser.value(
                    "[...document.querySelectorAll('.scroll .unseen')].filter((e) => "
                    "!e.closest('.scroll').contains(e.offsetParent)).length")
                self.assertEqual(escaping, 0, "what is not seen must not widen the page either")
                captionless = self.browser.value(
                    "[...document.querySelectorAll('table.matrix')].filter((t) => !t.caption).length")
                self.assertEqual(captionless, 0)

    def test_markup_of_a_submission_does_nothing(self):
        browser = self.page("hostile")
        self.assertEqual(browser.value("document.querySelectorAll('img, iframe, object').length"), 0)
        self.assertEqual(browser.value("document.scripts.length"), 1)
        # Even a script that got in would not run: the page names the one it has.
        browser.value("(() => { const s = document.createElement('script');"
                      "s.textContent = 'window.intruder = 1'; document.body.append(s); })()")
        self.assertIsNone(browser.value("window.intruder"))
        complaints, browser.errors = browser.errors, []
        self.assertTrue(all("Content Security Policy" in each for each in complaints), complaints)

    def test_prints_on_paper(self):
        browser = self.page("masked_too_late")
        browser.value("document.getElementById('unfold').click()")
        self.assertGreaterEqual(browser.pdf_pages(), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
