"""A headless Chromium driven through its debugging pipe: no port, no network, no package."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

SECONDS = 60  # a browser that is silent for longer hangs
PROGRAM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Browser:
    """`with Browser() as browser`. `events` has every event that the page has caused since open()
    began to load it."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="spca_browser_")
        commands, self.to = os.pipe()
        self.answers, answers = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4.
        launcher = f"exec \"$0\" \"$@\" 3<&{commands} 4>&{answers}"
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", launcher, PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
            + ["--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.last = 0
        self.session = None
        self.events = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, AssertionError):
            self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.answers)
        # The browser's last helpers may still be writing to the profile.
        shutil.rmtree(self.profile.name, ignore_errors=True)
        self.profile._finalizer.detach()

    def _message(self):
        deadline = time.monotonic() + SECONDS
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"the browser said nothing for {SECONDS} s"
            more = os.read(self.answers, 1 << 16)
            assert more, "the browser ended"
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.last += 1
        request = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self.last:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def open(self, address):
        """Reloads the page, also if only the fragment differs, and waits until it is complete."""
        for url in ("about:blank", address):
            self.events = []
            self.call("Page.navigate", url=url)
            while not any(event["method"] == "Page.loadEventFired" for event in self.events):
                message = self._message()
                if "method" in message:
                    self.events.append(message)

    def value(self, expression):
        """The value of a JavaScript expression; of a promise, the value with which it resolves."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, userGesture=True, awaitPromise=True)
        assert "exceptionDetails" not in result, f"{expression}: {result['exceptionDetails']}"
        return result["result"].get("value")

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def turn_wheel(self, x, y, amount, modifiers=0):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=amount, modifiers=modifiers)

    def download_to(self, folder):
        session, self.session = self.session, None
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self.session = session

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def complaints(self):
        """The messages in the console since the page was opened."""
        kinds = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        return [event["params"] for event in self.events if event["method"] in kinds]

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"]

    def show(self, width, height, dark=False, media="", mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
