"""`spca fetch` against a server that behaves and one that does not. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/fetch_test.py"""

import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
from data_server import DataServer  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
NAME = "words/docword.words.txt"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Fetch(unittest.TestCase):
    def setUp(self):
        self.server = DataServer()
        self.addCleanup(self.server.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"
        self.content = random.Random(1).randbytes(250000)
        self.server.files["one"] = self.content
        self.files = [self.entry(NAME, "one", self.content)]
        self.write_sources()

    def entry(self, name, path, content, **more):
        return {"name": name, "url": self.server.url(path), "bytes": len(content), "sha256": sha256(content), **more}

    def write_sources(self, **others):
        datasets = {"words": {"shape": [2, 3], "files": self.files}}
        datasets |= {name: {"shape": [2, 3], "files": files} for name, files in others.items()}
        (self.folder / "sources.json").write_text(json.dumps({"datasets": datasets}))

    def command(self, *words, timeout=1):
        sources = ["--sources", str(self.folder / "sources.json")]
        return [PROGRAM, "fetch", *words, *sources, "--data-dir", str(self.data), "--timeout", str(timeout)]

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        return {**kept, "SPCA_FETCH_MIRROR": ""}

    def run_fetch(self, *words, code=0, prefix=()):
        finished = subprocess.run(
            [*prefix, *self.command(*words)],
            capture_output=True, text=True, check=False, env=self.environment(), timeout=120,
        )
        self.assertEqual(finished.returncode, code, finished.stdout + finished.stderr)
        return finished

    def fetch_fails(self, *words, says=(), retries=0):
        """Expects exit code 3, one line on standard output, and no file under its final name. Returns the process."""
        finished = self.run_fetch("words", "--retries", str(retries), *words, code=3)
        self.assertEqual(len(finished.stdout.splitlines()), 1, finished.stdout)
        self.assertIn(f"{NAME}: failed: ", finished.stdout)
        for part in says:
            self.assertIn(part, finished.stdout)
        self.assertFalse((self.data / NAME).exists())
        return finished

    def assert_fetched(self):
        self.assertEqual((self.data / NAME).read_bytes(), self.content)
        self.assertEqual(sorted(path.name for path in (self.data / NAME).parent.iterdir()), [pathlib.Path(NAME).name])

    def part(self):
        return self.data / (NAME + ".part")


class Good(Fetch):
    def test_a_file_is_fetched_once_and_then_known(self):
        self.assertEqual(self.run_fetch("words").stdout, f"{NAME}: ok, fetched\n")
        self.assert_fetched()
        self.assertEqual(self.run_fetch("words").stdout, f"{NAME}: ok, already present\n")
        self.assertEqual(len(self.server.log), 1)

    def test_progress_goes_to_standard_error(self):
        finished = self.run_fetch("words")
        self.assertIn(f"{NAME}: 0.2/0.2 MB", finished.stderr)

    def test_json_holds_every_file(self):
        result = json.loads(self.run_fetch("words", "--json").stdout)
        self.assertEqual(result["exit_code"], 0)
        self.assertEqual(result["by_status"], {"fetched": 1})
        file = result["files"][0]
        self.assertEqual((file["name"], file["status"], file["sha256"]), (NAME, "fetched", sha256(self.content)))

    def test_dry_run_and_check_fetch_nothing(self):
        finished = self.run_fetch("words", "--dry-run")
        self.assertIn("to fetch: 250000 bytes from " + self.server.url("one"), finished.stdout)
        self.assertIn("missing", self.run_fetch("words", "--check", code=3).stdout)
        self.assertEqual(self.server.log, [])
        self.assertFalse(self.data.exists())
        self.run_fetch("words")
        self.assertIn("ok, already present", self.run_fetch("words", "--check").stdout)

    def test_check_tells_a_file_that_was_changed(self):
        self.run_fetch("words")
        (self.data / NAME).write_bytes(self.content[:-1] + b"!")
        finished = self.run_fetch("words", "--check", code=3)
        self.assertIn("different", finished.stdout)
        self.assertIn("expected: " + sha256(self.content), finished.stdout)

    def test_a_file_with_other_bytes_is_left_alone_unless_forced(self):
        (self.data / NAME).parent.mkdir(parents=True)
        (self.data / NAME).write_text("mine")
        finished = self.run_fetch("words", code=3)
        self.assertIn("found 4 bytes; expected: 250000; --force replaces it", finished.stdout)
        self.assertEqual((self.data / NAME).read_text(), "mine")
        self.run_fetch("words", "--force")
        self.assert_fetched()

    def test_a_redirect_is_followed(self):
        self.server.modes["one"] = "redirect"
        self.server.files["one.moved"] = self.content
        self.run_fetch("words")
        self.assert_fetched()

    def test_file_addresses_work(self):
        (self.folder / "original").write_bytes(self.content)
        self.files[0]["url"] = (self.folder / "original").as_uri()
        self.write_sources()
        self.run_fetch("words")
        self.assert_fetched()

    def test_all_takes_every_data_set_and_one_failure_stops_no_other(self):
        other = b"1 2 3\n"
        self.server.files["two"] = other
        self.server.modes["one"] = "missing"
        self.write_sources(more=[self.entry("more/x.csv", "two", other)])
        finished = self.run_fetch("all", code=3)
        self.assertIn("status 404", finished.stdout)
        self.assertEqual((self.data / "more/x.csv").read_bytes(), other)

    def test_a_derived_file_is_not_pretended_to_be_fetched(self):
        self.files[0]["derived"] = "R data to CSV"
        self.write_sources()
        finished = self.run_fetch("words", code=3)
        self.assertIn(f"{NAME}: not fetchable: no address gives it as it is; from {self.server.url('one')}: "
                      "R data to CSV", finished.stdout)
        self.assertEqual(self.server.log, [])
        self.files[0]["optional"] = "names"
        self.write_sources()
        self.assertIn("the data set works without it", self.run_fetch("words").stdout)

    def test_a_file_whose_bytes_nobody_knows_is_left_to_the_user(self):
        for key in ("bytes", "sha256"):
            del self.files[0][key]
        self.files[0]["unverified"] = "no copy was at hand"
        self.write_sources()
        finished = self.run_fetch("words", code=3)
        self.assertIn(f"{NAME}: not fetchable: from {self.server.url('one')}, by hand: no copy was at hand", finished.stdout)
        self.assertEqual(self.server.log, [])
        (self.data / NAME).parent.mkdir(parents=True)
        (self.data / NAME).write_bytes(self.content)
        self.assertEqual(self.run_fetch("words").stdout, f"{NAME}: ok, already present\n")

    def test_what_the_address_gives_is_taken_where_the_data_set_reads_it(self):
        plain = {"name": NAME, "bytes": len(self.content), "sha256": sha256(self.content)}
        self.files = [self.entry(NAME + ".gz", "one", b"packed", derived="gzipped", as_published=plain)]
        self.write_sources()
        self.assertEqual(self.run_fetch("words").stdout, f"{NAME}: ok, fetched\n")
        self.assert_fetched()

    def test_a_mirror_has_also_what_has_no_address(self):
        self.files[0]["derived"] = "R data to CSV"
        self.write_sources()
        mirror = self.folder / "mirror"
        (mirror / NAME).parent.mkdir(parents=True)
        (mirror / NAME).write_bytes(self.content)
        self.run_fetch("words", "--url-base", mirror.as_uri())
        self.assert_fetched()


class Broken(Fetch):
    def test_a_transfer_that_is_cut_is_continued_where_it_stopped(self):
        self.server.modes["one"] = "truncates"
        finished = self.run_fetch("words")
        self.assert_fetched()
        self.assertEqual(self.server.ranges("one"), [None, "bytes=100000-", "bytes=200000-"])
        self.assertIn("the server ends after 100000 of 250000 bytes; retry 1 of 3 in 1 s", finished.stderr)

    def test_a_later_command_continues_too(self):
        self.server.modes["one"] = "truncates"
        self.fetch_fails(says=["100000 of 250000 bytes"])
        self.assertEqual(self.part().stat().st_size, 100000)
        self.server.modes["one"] = "ok"
        self.run_fetch("words")
        self.assertEqual(self.server.ranges("one"), [None, "bytes=100000-"])
        self.assert_fetched()

    def test_retries_are_bounded(self):
        self.server.modes["one"] = "sends nothing"
        self.fetch_fails(retries=1, says=["0 of 250000 bytes", "after 1 retries"])
        self.assertEqual(len(self.server.log), 2)
        self.assertFalse(self.part().exists())

    def test_a_stall_ends_after_the_timeout_and_keeps_what_came(self):
        self.server.modes["one"] = "stalls"
        self.fetch_fails(says=["nothing came for 1 s after 1000 of 250000 bytes"])
        self.assertEqual(self.part().read_bytes(), self.content[:1000])
        self.server.modes["one"] = "ok"
        self.run_fetch("words")
        self.assertEqual(self.server.ranges("one"), [None, "bytes=1000-"])
        self.assert_fetched()

    def test_a_server_that_never_answers_ends_after_the_timeout(self):
        self.server.modes["one"] = "silent"
        self.fetch_fails(says=["nothing came for 1 s"])

    def test_a_length_that_is_not_the_file_s_is_refused_at_once(self):
        for mode, announced in (("announces more", 250100), ("announces less", 249900)):
            self.server.modes["one"] = mode
            self.fetch_fails(retries=3, says=[f"announces {announced} bytes; expected: 250000"])
            self.assertFalse(self.part().exists())
        self.assertEqual(len(self.server.log), 2)

    def test_without_a_length_no_more_than_the_file_is_taken(self):
        self.server.modes["one"] = "no length, too much"
        self.fetch_fails(says=["sends more than the 250000 bytes expected"])
        self.server.modes["one"] = "no length, too little"
        self.fetch_fails(says=["ends after 125000 of 250000 bytes"])

    def test_wrong_bytes_are_deleted_and_both_checksums_named(self):
        self.server.modes["one"] = "wrong bytes"
        self.fetch_fails(retries=3, says=[f"found SHA-256 {sha256(bytes(250000))}",
                                          f"expected: {sha256(self.content)}", "deleted"])
        self.assertEqual(list((self.data / NAME).parent.iterdir()), [])
        self.assertEqual(len(self.server.log), 1)

    def test_a_wrong_part_is_fetched_anew_before_the_server_is_blamed(self):
        self.server.modes["one"] = "truncates"
        self.fetch_fails()
        self.part().write_bytes(b"x" * 100000)
        self.server.modes["one"] = "ok"
        finished = self.run_fetch("words")
        self.assertIn("does not match; starting again", finished.stderr)
        self.assertEqual(self.server.ranges("one"), [None, "bytes=100000-", None])
        self.assert_fetched()

    def test_a_server_without_ranges_sends_all_again(self):
        self.server.modes["one"] = "truncates"
        self.fetch_fails()
        self.server.modes["one"] = "no ranges"
        self.assertIn("does not give the bytes from 100000 on; starting again", self.run_fetch("words").stderr)
        self.assertEqual(self.server.ranges("one"), [None, "bytes=100000-", None])
        self.assert_fetched()

    def test_a_file_that_has_changed_is_fetched_from_its_beginning(self):
        self.server.files["one"] = bytes(250000)
        self.server.modes["one"] = "truncates"
        self.fetch_fails()
        self.assertEqual(self.part().read_bytes(), bytes(100000))
        self.server.files["one"] = self.content
        self.server.modes["one"] = "ok"
        self.assertIn("does not match; starting again", self.run_fetch("words").stderr)
        self.assertEqual(self.server.ranges("one"), [None, "bytes=100000-", None])
        self.assert_fetched()

    def test_pieces_that_do_not_fit_are_fetched_anew_once(self):
        self.server.files["one"] = bytes(250000)
        self.server.modes["one"] = "truncates"
        self.fetch_fails()
        self.server.modes["one"] = "ok"
        self.fetch_fails(retries=3, says=[f"found SHA-256 {sha256(bytes(250000))}", "deleted"])
        self.assertEqual(self.server.ranges("one"), [None, "bytes=100000-", None])
        self.assertFalse(self.part().exists())

    def test_a_part_that_is_not_what_was_asked_for_is_not_used(self):
        for mode in ("wrong range", "range refused"):
            self.server.modes["one"] = "truncates"
            self.fetch_fails()
            self.server.modes["one"] = mode
            self.server.log.clear()
            finished = self.run_fetch("words")
            self.assertIn("starting again", finished.stderr)
            self.assertEqual(self.server.ranges("one"), ["bytes=100000-", None])
            self.assert_fetched()
            (self.data / NAME).unlink()

    def test_a_part_of_unknown_origin_is_found_out_by_the_checksum(self):
        self.part().parent.mkdir(parents=True)
        self.part().write_bytes(b"x" * 1000)
        self.assertIn("does not match; starting again", self.run_fetch("words").stderr)
        self.assertEqual(self.server.ranges("one"), ["bytes=1000-", None])
        self.assert_fetched()

    def test_a_part_that_is_longer_than_the_file_is_thrown_away(self):
        self.part().parent.mkdir(parents=True)
        self.part().write_bytes(b"x" * 250001)
        self.run_fetch("words")
        self.assertEqual(self.server.ranges("one"), [None])
        self.assert_fetched()

    def test_a_part_that_is_whole_is_checked_without_a_request(self):
        self.part().parent.mkdir(parents=True)
        self.part().write_bytes(self.content)
        self.run_fetch("words")
        self.assertEqual(self.server.log, [])
        self.assert_fetched()
        (self.data / NAME).unlink()
        self.part().write_bytes(bytes(250000))
        self.run_fetch("words")
        self.assertEqual(self.server.ranges("one"), [None])
        self.assert_fetched()

    def test_the_rest_is_asked_for_after_a_redirect_and_from_a_file_too(self):
        self.server.modes["one"] = "redirect"
        self.server.modes["one.moved"] = "truncates"
        self.server.files["one.moved"] = self.content
        self.run_fetch("words")
        self.assertEqual(self.server.ranges("one.moved"), [None, "bytes=100000-", "bytes=200000-"])
        self.assert_fetched()
        (self.data / NAME).rename(self.folder / "original")
        self.part().write_bytes(self.content[:1000])
        self.files[0]["url"] = (self.folder / "original").as_uri()
        self.write_sources()
        self.assertNotIn("starting again", self.run_fetch("words").stderr)
        self.assert_fetched()

    def test_the_page_of_an_error_is_no_part_of_the_file(self):
        self.server.modes["one"] = "truncates"
        self.fetch_fails()
        for mode, status in (("500", 500), ("missing", 404)):
            self.server.modes["one"] = mode
            self.fetch_fails(says=[f"status {status}"])
            self.assertEqual(self.part().read_bytes(), self.content[:100000])

    def test_a_command_that_is_killed_is_taken_up_by_the_next(self):
        for end in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            self.server.modes["one"] = "stalls"
            self.server.log.clear()
            process = subprocess.Popen(
                self.command("words", timeout=60), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=self.environment(),
            )
            deadline = time.monotonic() + 60
            while not (self.part().exists() and self.part().stat().st_size == 1000):
                self.assertLess(time.monotonic(), deadline, "the first bytes never came")
                time.sleep(0.01)
            process.send_signal(end)
            self.assertNotEqual(process.wait(timeout=60), 0)
            self.assertFalse((self.data / NAME).exists())
            self.server.modes["one"] = "ok"
            self.run_fetch("words")
            self.assertEqual(self.server.ranges("one"), [None, "bytes=1000-"])
            self.assert_fetched()
            (self.data / NAME).unlink()

    def test_an_error_of_the_server_is_tried_again_and_a_missing_file_is_not(self):
        self.server.modes["one"] = "500 once"
        self.assertIn("status 500; retry 1 of 3", self.run_fetch("words").stderr)
        self.assert_fetched()
        (self.data / NAME).unlink()
        self.server.modes["one"] = "missing"
        asked = len(self.server.log)
        self.fetch_fails(retries=3, says=["status 404; accepted: 200"])
        self.assertEqual(len(self.server.log), asked + 1)

    def test_redirects_are_bounded_and_lead_to_no_local_file(self):
        self.server.modes["one"] = "redirect loop"
        self.fetch_fails(retries=3, says=["more than 10 redirects"])
        self.assertEqual(len(self.server.log), 11)
        self.server.modes["one"] = "redirect to a file"
        self.fetch_fails(retries=3)
        self.assertFalse(self.part().exists())

    def test_nobody_listening_is_said(self):
        self.server.close()
        self.fetch_fails(says=["127.0.0.1", "0 of 250000 bytes"])


class Disk(Fetch):
    def test_a_folder_that_cannot_be_made_is_named(self):
        self.data.write_text("a file")
        self.fetch_fails(says=[str(self.data), "cannot be made"])

    def test_a_full_disk_is_named_and_a_later_command_continues(self):
        # SIGXFSZ is ignored, so that a write beyond the limit fails as on a full disk.
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 100; exec "$@"', "bash"]
        finished = self.run_fetch("words", code=3, prefix=limited)
        self.assertIn("cannot be written", finished.stdout)
        self.assertEqual(len(self.server.log), 1)
        self.run_fetch("words")
        self.assert_fetched()

    def test_two_processes_at_once_fetch_the_file_once(self):
        self.server.modes["one"] = "slow"
        running = [
            subprocess.Popen(self.command("words", timeout=60), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env=self.environment())
            for _ in range(3)
        ]
        lines = sorted(process.communicate(timeout=60)[0] for process in running)
        self.assertEqual([process.returncode for process in running], [0, 0, 0])
        self.assertEqual(lines, [f"{NAME}: ok, already present\n"] * 2 + [f"{NAME}: ok, fetched\n"])
        self.assertEqual(len(self.server.log), 1)
        self.assert_fetched()


class Usage(Fetch):
    def fails_with(self, *words, says):
        finished = self.run_fetch(*words, code=2)
        self.assertEqual(finished.stdout, "")
        self.assertEqual(len(finished.stderr.splitlines()), 1, finished.stderr)
        for part in says:
            self.assertIn(part, finished.stderr)

    def test_names_and_values_that_are_wrong(self):
        self.fails_with("wods", says=["unknown data set \"wods\"", 'did you mean "words"', "all"])
        self.fails_with("spiked", says=["no file belongs to data set \"spiked\"", "generated"])
        self.fails_with("words", "--retries", "-1", says=["--retries"])
        self.fails_with("words", "--url-base", "/srv", says=["--url-base", "file://"])
        self.fails_with(says=["DATASET"])

    def test_sources_that_are_wrong(self):
        for change, says in (
            ({"name": "../x"}, "a path below the data folder"),
            ({"name": "/etc/x"}, "a path below the data folder"),
            ({"url": "ftp://a/b"}, "http://, https:// or file://"),
            ({"sha256": "12"}, "64 digits"),
            ({"bytes": 0}, "a whole number >= 1"),
            ({"sha265": "x"}, "unknown key"),
        ):
            kept = dict(self.files[0])
            self.files[0] |= change
            self.write_sources()
            self.fails_with("words", says=[str(self.folder / "sources.json") + ":1:", "/datasets/words/files/0", says])
            self.files[0] = kept


def main():
    version = subprocess.run([PROGRAM, "env", "--json"], capture_output=True, text=True, check=True).stdout
    if not json.loads(version)["libraries"].get("curl"):
        print("skipped: the program was built without libcurl")
        return 77
    return 0 if unittest.main(exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
