"""Sends Ctrl-C to a program of a test while it works."""

import signal
import subprocess
import threading

# Far longer than an interrupted solve takes, even on a busy machine.
PATIENCE_SECONDS = 300


def lines_after_signal(test, command, **settings):
    """Sends a signal to a program after its first line, which must be `started`, and returns the lines that follow. The
    program must end by itself with exit code 0. `settings` are those of Popen."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)
    test.addCleanup(process.wait)
    test.addCleanup(process.kill)
    test.assertEqual(process.stdout.readline(), "started\n")
    # The signal comes half a second later, perhaps before the solve has begun.
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout.read().splitlines()))
    reader.start()
    reader.join(0.5)
    process.send_signal(signal.SIGINT)
    reader.join(PATIENCE_SECONDS)
    test.assertFalse(reader.is_alive(), f"{command[-1]}: not ended")
    test.assertEqual(process.wait(), 0, process.stderr.read())
    process.stdout.close()
    process.stderr.close()
    return lines
