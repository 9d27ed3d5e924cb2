"""Every original in SPCA_DATA_DIR/originals, through `spca fetch` and its recipes, makes the files whose checksums
datasets/sources.json lists. Run by ctest, or:
SPCA_PROGRAM=build/release/spca SPCA_DATA_DIR=FOLDER /usr/bin/python3 tests/originals_test.py"""
# Labels: slow

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import fetch_test  # noqa: E402
from data_server import DataServer  # noqa: E402
from fetch_test import PROGRAM, SOURCES, sha256  # noqa: E402

DATA = pathlib.Path(os.environ.get("SPCA_DATA_DIR") or "/nonexistent")


def originals_at_hand(sources):
    """The content of originals by name: those of the folder, and those that a data set has in packed form."""
    files = (DATA / "originals").iterdir()
    contents = {path.name: path.read_bytes() for path in files if path.name in sources["originals"]}
    for dataset in sources["datasets"].values():
        for file in dataset.get("files", []):
            packed = DATA / file["name"]
            if "as_published" in file and packed.exists():
                contents[file["from"]] = gzip.decompress(packed.read_bytes())
    return contents


class Originals(unittest.TestCase):
    def setUp(self):
        self.server = DataServer()
        self.addCleanup(self.server.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.sources = json.loads((SOURCES / "datasets/sources.json").read_text())
        self.contents = originals_at_hand(self.sources)
        # Originals without a copy here have no place in the test.
        for name in set(self.sources["originals"]) - set(self.contents):
            del self.sources["originals"][name]
        for name, dataset in list(self.sources["datasets"].items()):
            dataset["files"] = [file for file in dataset.get("files", []) if self.is_at_hand(file.get("from"))]
            if not dataset["files"]:
                del self.sources["datasets"][name]

    def is_at_hand(self, originals):
        return originals is not None and set([originals] if isinstance(originals, str) else originals) <= set(self.contents)

    def serve(self, contents, are_known):
        """Serves originals. If they are not known, the sources do not say what to expect of them."""
        for name, content in contents.items():
            self.server.files[name] = content
            original = self.sources["originals"][name] if are_known else {"unverified": "a test serves it"}
            self.sources["originals"][name] = original | {"url": self.server.url(name)}
        (self.folder / "sources.json").write_text(json.dumps(self.sources))

    def fetch(self):
        command = [PROGRAM, "fetch", "all", "--json", "--retries", "0", "--sources", str(self.folder / "sources.json"),
                   "--data-dir", str(self.folder / "data")]
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3000,
                                  env=environment | {"SPCA_FETCH_MIRROR": ""})
        return json.loads(finished.stdout)

    def expected(self):
        return {file["name"]: file["sha256"] for dataset in self.sources["datasets"].values() for file in dataset["files"]}

    def test_recipe_and_original_make_the_listed_bytes(self):
        self.serve(self.contents, are_known=True)
        result = self.fetch()
        for file in result["files"]:
            self.assertEqual(file["status"], "made", file)
        self.assertEqual({file["name"] for file in result["files"]}, set(self.expected()))
        for name, digest in self.expected().items():
            self.assertEqual(sha256((self.folder / "data" / name).read_bytes()), digest, name)
        print(f"{len(self.expected())} files of {len(self.contents)} originals", file=sys.stderr)

    def test_the_listed_checksums_are_those_of_the_originals(self):
        listed = json.loads((SOURCES / "datasets/sources.json").read_text())["originals"]
        for name, content in self.contents.items():
            self.assertEqual((len(content), sha256(content)), (listed[name]["bytes"], listed[name]["sha256"]), name)

    def test_damaged_originals_make_nothing(self):
        changes = {"cut": lambda content: content[: len(content) // 2], "of another kind": lambda _: b"\x89PNG\r\n" * 50}
        for what, change in changes.items():
            with self.subTest(what):
                self.serve({name: change(content) for name, content in self.contents.items()}, are_known=False)
                for file in self.fetch()["files"]:
                    self.assertEqual(file["status"], "failed", file)
                    self.assertEqual(len(file["message"].splitlines()), 1, file)
                    self.assertIn("recipe ", file["message"])
                    self.assertNotIn("Traceback", file["message"])
                    self.assertFalse((self.folder / "data" / file["name"]).exists())


def main():
    if not (DATA / "originals").is_dir():
        print("skipped: SPCA_DATA_DIR has no folder originals")
        return 77
    return fetch_test.main()


if __name__ == "__main__":
    sys.exit(main())
