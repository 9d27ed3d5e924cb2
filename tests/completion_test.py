"""Completion in bash, zsh and fish. Run by ctest, or:
SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/completion_test.py"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))).resolve()


def run(*command, code=0, text=None):
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    finished = subprocess.run(
        [str(word) for word in command],
        input=text, capture_output=True, text=True, check=False, cwd=SOURCES, env=environment, timeout=60,
    )
    assert finished.returncode == code, f"{command}: {finished.returncode}\n{finished.stderr}"
    return finished.stdout


def words(*line):
    """The completions of the last of the words after `spca`."""
    return [row.split("\t")[0] for row in run(PROGRAM, "completion", "words", "--", *line).splitlines()]


class Words(unittest.TestCase):
    def test_subcommands_and_their_options_are_those_that_are_declared(self):
        commands = words("")
        for command in ("completion", "env", "fetch", "list", "run", "solve"):
            self.assertIn(command, commands)
        for command in commands:
            offered = words(command, "--")
            self.assertIn("--help", offered)
            usage = run(PROGRAM, command, "--help")
            for option in offered:
                self.assertIn(option, usage)
        self.assertEqual(words("so"), ["solve"])
        self.assertEqual(words("--ver"), ["--version"])

    def test_names_come_from_the_registries(self):
        solvers = [line.split()[0] for line in run(PROGRAM, "list", "solvers").splitlines()]
        self.assertEqual(words("solve", "--solver", ""), solvers)
        self.assertEqual(words("solve", "--dataset", "ko"), ["kos", "kos-centered"])
        self.assertEqual(words("run", "quick"), ["quickstart"])
        self.assertEqual(words("describe", "solver", "tp"), ["tpower"])
        self.assertEqual(words("list", "da"), ["datasets"])
        self.assertIn("quickstart", words("reproduce", ""))
        self.assertIn("spannogram/gene", words("reproduce", "spannogram/"))

    def test_fetch_offers_data_sets_that_have_files(self):
        offered = words("fetch", "")
        self.assertIn("kos", offered)
        self.assertIn("all", offered)
        self.assertNotIn("spiked", offered)
        self.assertEqual(words("fetch", "kos", "ni"), ["nips"])

    def test_values_that_a_help_text_lists_are_offered(self):
        self.assertEqual(words("table", "quickstart", "--format", ""), ["text", "md", "csv", "tex", "json"])
        self.assertEqual(words("run", "quickstart", "--profile", "s"), ["smoke"])
        self.assertEqual(words("table", "--format=t"), ["--format=text", "--format=tex"])
        self.assertEqual(words("table", "--format", "=", "t"), ["text", "tex"])  # as bash parts it
        self.assertEqual(words("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(words("solve", "--missing", "drop"), ["drop-rows", "drop-columns"])
        self.assertEqual(words("history", ""), ["add", "import", "show", "worse", "remove"])

    def test_an_option_of_two_words_is_followed_through(self):
        self.assertEqual(words("run", "quickstart", "--only", ""), ["solver", "dataset"])
        self.assertEqual(words("run", "quickstart", "--only", "solver", "tpow"), ["tpower"])
        self.assertIn("--only", words("run", "quickstart", "--only", "solver", "tpower", "--"))
        self.assertNotIn("--profile", words("run", "quickstart", "--profile", "smoke", "--"))

    def test_nothing_is_offered_where_a_file_or_number_stands(self):
        self.assertEqual(words("solve", "--data", ""), [])
        self.assertEqual(words("solve", "--cardinality", ""), [])
        self.assertEqual(words("--data-dir", ""), [])
        self.assertEqual(words("nonsense", ""), [])


class Shells(unittest.TestCase):
    def test_bash_fills_compreply(self):
        script = r"""
            set -u
            source <("$1" completion bash)
            complete -p spca
            COMP_WORDS=("$1" solve --solver tp) COMP_CWORD=3
            _spca
            printf '<%s>\n' "${COMPREPLY[@]}"
            COMP_WORDS=("$1" fetch ko) COMP_CWORD=2
            _spca
            printf '<%s>\n' "${COMPREPLY[@]}"
        """
        out = run("bash", "--norc", "-c", script, "bash", PROGRAM)
        self.assertIn("-F _spca spca", out)
        self.assertIn("<tpower>\n<kos>\n", out)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_the_script_and_offers_words(self):
        run("zsh", "-n", text=run(PROGRAM, "completion", "zsh"))
        script = r"""
            compdef() { }
            _files() { print files }
            _describe() { print -l -- "${offered[@]}" }
            source <("$1" completion zsh)
            words=("$1" solve --solver tp) CURRENT=4; _spca
            words=("$1" solve --data x) CURRENT=4; _spca
            words=("$1" sol) CURRENT=2; _spca
        """
        lines = run("zsh", "-f", "-c", script, "zsh", PROGRAM).splitlines()
        self.assertEqual(lines[:2], ["tpower:tpower", "files"])
        self.assertTrue(lines[2].startswith("solve:Compute sparse principal"), lines)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_reads_the_script_and_offers_words(self):
        run("fish", "-n", text=run(PROGRAM, "completion", "fish"))
        script = 'spca completion fish | source; complete -C "spca solve --solver tp"; complete -C "spca sol"'
        lines = run("fish", "--no-config", "-c", script).splitlines()
        self.assertEqual(lines[0], "tpower")
        self.assertTrue(lines[1].startswith("solve\tCompute sparse principal"), lines)

    def test_another_shell_is_refused(self):
        finished = subprocess.run([PROGRAM, "completion", "bsh"], capture_output=True, text=True, check=False)
        self.assertEqual(finished.returncode, 2)
        self.assertIn('did you mean "bash"', finished.stderr)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    sys.exit(0 if result.wasSuccessful() else 1)
