"""An HTTP server on the loopback that serves files well or badly, for tests of `spca fetch`."""

import http.server
import threading
import time


class DataServer:
    """`files[path]` is the content, `modes[path]` how it is served (see `Handler.serve`), `log` the requests."""

    def __init__(self):
        self.files = {}
        self.modes = {}
        self.log = []  # (path, Range header or None)
        self.closing = threading.Event()
        handler = type("BoundHandler", (Handler,), {"data": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_address[1]}/{path}"

    def ranges(self, path):
        return [asked for name, asked in self.log if name == path]

    def close(self):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Handler(http.server.BaseHTTPRequestHandler):
    data = None  # the DataServer

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.lstrip("/")
        asked = self.headers.get("Range")
        self.data.log.append((path, asked))
        try:
            self.serve(path, self.data.modes.get(path, "ok"), asked)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client has had enough

    def serve(self, path, mode, asked):
        content = self.data.files.get(path)
        if mode == "redirect":
            return self.redirect("/" + path + ".moved")
        if mode == "redirect loop":
            return self.redirect("/" + path)
        if mode == "redirect to a file":
            return self.redirect("file:///etc/hostname")
        if mode == "missing" or content is None:
            return self.status(404)
        if mode == "500 once":
            self.data.modes[path] = "ok"
            return self.status(500)
        if mode == "500":
            return self.status(500)
        if mode == "silent":
            self.data.closing.wait()
            return None

        begin = 0
        if asked and mode != "no ranges":
            begin = int(asked.removeprefix("bytes=").split("-")[0])
        if asked and mode == "range refused":
            return self.status(416)
        body = content[begin:]
        length = len(body)
        self.send_response(206 if begin else 200)
        if begin:
            # A server that is asked for one place and gives another.
            shift = 1 if mode == "wrong range" else 0
            self.send_header("Content-Range", f"bytes {begin + shift}-{len(content) - 1}/{len(content)}")
        if mode == "announces more":
            length += 100
        if mode == "announces less":
            length -= 100
        if mode == "wrong bytes":
            body = bytes(len(body))
        if mode == "no length, too much":
            body += b"x" * 100000
        if mode == "no length, too little":
            body = body[: len(body) // 2]
        if not mode.startswith("no length"):
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if mode == "truncates":
            body = body[:100000]
        if mode == "sends nothing":
            body = b""
        if mode in ("stalls", "slow"):
            self.wfile.write(body[:1000])
            self.wfile.flush()
            if mode == "stalls":
                self.data.closing.wait()
                return None
            time.sleep(1)
            body = body[1000:]
        self.wfile.write(body)
        return None

    def redirect(self, target):
        self.send_response(302)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def status(self, code):
        page = b"a page that explains the error"
        self.send_response(code)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)
