"""Shows what a program writes on a terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import unittest


def shown_on_terminal(words, stream, columns=None):
    """Runs `words` with a terminal as `stream` ("stdout" or "stderr"), `columns` wide. Returns what the terminal gets,
    and the exit code. Skips the test on a system without pseudo terminals, such as a bare chroot."""
    try:
        leader, follower = pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"needs a pseudo terminal (/dev/pts): {error}") from error
    if columns is not None:
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    others = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, **{**others, stream: follower}) as process:
        os.close(follower)
        text = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # the program has closed the terminal
                break
            if not piece:
                break
            text += piece
        os.close(leader)
        code = process.wait(timeout=600)
    return text.decode(), code
