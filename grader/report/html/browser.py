"""Drives a headless Chromium through its debugging pipe, without any library."""

import base64
import json
import os
import shutil
import subprocess
import time

PROGRAMS = ("chromium-headless-shell", "chromium")
TIMEOUT = 60

# The contrast of every visible text with what lies behind it, as WCAG 2 counts it; the worst.
CONTRAST = """(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) || []).map(Number);
  const over = (top, under) => {
    const alpha = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((i) => top[i] * alpha + under[i] * (1 - alpha));
  };
  const light = (color) => {
    const [r, g, b] = color.map((c) => {
      const share = c / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  let worst = { ratio: 99, text: '' };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.getClientRects().length) continue;
    if (element.closest('script, style, svg, .unseen, .skip')) continue;
    const back = behind(element);
    const front = over(parse(getComputedStyle(element).color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < worst.ratio) worst = { ratio, text: walker.currentNode.textContent.trim() };
  }
  return worst;
})()"""


class Browser:
    """One browser with one page; `errors` collects what the page complained about."""

    def __init__(self, profile):
        program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
        if program is None:
            raise SystemExit("No Chromium: apt-get install chromium-headless-shell")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        arguments = [program, "--headless", "--remote-debugging-pipe", "--disable-gpu",
                     "--no-first-run", "--hide-scrollbars", f"--user-data-dir={profile}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium refuses root otherwise
        self._process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" 3<&"$IN" 4>&"$OUT"', *arguments],
            env={**os.environ, "IN": str(to_browser), "OUT": str(from_browser)},
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self._session = None
        self._events = []
        self.errors = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self._process.terminate()
        self._process.wait(TIMEOUT)
        os.close(self._write)
        os.close(self._read)

    def _receive(self):
        while b"\0" not in self._buffer:
            part = os.read(self._read, 1 << 16)
            if not part:
                raise RuntimeError("the browser ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.errors.append(json.dumps(parameters["args"]))
        elif method == "Log.entryAdded":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            if not parameters["request"]["url"].startswith("file:"):
                self.errors.append("request: " + parameters["request"]["url"])
        self._events.append(method)

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") != self._number:
                self._note(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def load(self, path):
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        deadline = time.monotonic() + TIMEOUT
        while "Page.loadEventFired" not in self._events:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{path} does not load")
            self._note(self._receive())

    def resize(self, width, height=1000):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def worst_contrast(self):
        """The text that stands out least: {ratio, text}."""
        return self.value(CONTRAST)

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text="\r" if key == "Enter" else "")

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(image))

    def pdf_pages(self):
        data = base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
        return data.count(b"/Type /Page\n") or data.count(b"/Type /Page")

    def structure_faults(self, named):
        """What a reader of the page who does not see it would miss; `named` selects what needs a
        name besides sections and drawings."""
        faults = []
        if self.value("document.documentElement.lang") != "en":
            faults.append("no language")
        if not self.value("document.title"):
            faults.append("no title")
        for tag in ("h1", "main", "header", "footer"):
            number = self.value(f"document.querySelectorAll('{tag}').length")
            if number != 1:
                faults.append(f"{number} of {tag}")
        unnamed = self.value(
            f"[...document.querySelectorAll('section, svg[role=img], {named}')].filter("
            "(each) => !each.getAttribute('aria-label') && !document.getElementById("
            "each.getAttribute('aria-labelledby'))).length")
        if unnamed:
            faults.append(f"{unnamed} without a name")
        twice = self.value(
            "(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);"
            "return ids.filter((id, i) => ids.indexOf(id) !== i); })()")
        return faults + [f"twice: {each}" for each in twice]
