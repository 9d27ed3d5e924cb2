"""Python's answers are the program's. Run by ctest, or: /usr/bin/python3 tests/python/answers_test.py"""

import json
import math
import pathlib
import shutil
import tempfile
import unittest

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()
from report_runs import spca  # noqa: E402

# Members that differ between two solves of one problem.
COSTS = {"reading_seconds", "solve_seconds", "check_seconds", "phases"}
COST_METRICS = {"cpu_seconds", "solve_seconds", "reading_seconds", "eigenpairs_seconds", "peak_bytes"}
# Solvers that take minutes on kos, or need a time limit.
SLOW_ON_KOS = {"branch-price", "em-runs", "bipart", "fantope", "homotopy", "restarted-tpower", "encoder-exact", "row-sparse"}


def null(value):
    """Returns the value with None in place of NaN (in JSON null): the metric was not measured."""
    if isinstance(value, dict):
        return {name: null(member) for name, member in value.items()}
    if isinstance(value, list):
        return [null(member) for member in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def without_costs(answer):
    answer = null({name: value for name, value in answer.items() if name not in COSTS})
    answer["metrics"] = {name: value for name, value in answer["metrics"].items() if name not in COST_METRICS}
    return answer


# Members that only the program writes: the version of the schema, and a description of the data,
# which a caller in Python has itself.
QUESTION = ("schema", "data")


def solve_words(*words, code=0):
    answer = json.loads(spca("solve", *words, "--json", code=code).stdout)
    return {name: value for name, value in answer.items() if name not in QUESTION}


class SameAnswers(unittest.TestCase):
    def assert_same(self, answer, *words, code=0):
        self.assertEqual(without_costs(answer.to_dict()), without_costs(solve_words(*words, code=code)))

    def test_every_solver_answers_as_spca_solve_does(self):
        compared = 0
        for solver in spca_bench.list_solvers():
            with self.subTest(solver["name"]):
                words = ["--dataset", "pitprops", "--solver", solver["name"], "--cardinality", "3,2", "--seed", "7"]
                answer = spca_bench.solve("pitprops", [3, 2], solver=solver["name"], seed=7)
                self.assert_same(answer, *words, code=0 if answer.has_answer else 3)
                compared += answer.has_answer
        self.assertGreater(compared, 30)

    def test_arguments_are_those_of_the_program(self):
        same = [
            ({"cardinality": [7, 2, 4], "deflation": "projection"}, ["--cardinality", "7,2,4", "--deflation", "projection"]),
            (
                {"solver": "tpower", "cardinality": 4, "components": 2, "options": {"starts": "columns"}},
                ["--solver", "tpower", "--cardinality", "4", "--components", "2", "--set", "starts=columns"],
            ),
            ({"solver": "gpower-l1", "options": {"penalty": 0.4}}, ["--solver", "gpower-l1", "--set", "penalty=0.4"]),
            ({"solver": "gpower-l1", "cardinality": 5}, ["--solver", "gpower-l1", "--cardinality", "5"]),
        ]
        for values, words in same:
            self.assert_same(spca_bench.solve("pitprops", **values), "--dataset", "pitprops", *words)

    def test_a_file_and_the_same_array_have_one_answer(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_python_"))
        self.addCleanup(shutil.rmtree, folder)
        x = np.random.RandomState(3).randn(30, 8)
        np.save(folder / "x.npy", x)
        words = ["--data", folder / "x.npy", "--cardinality", "3,3", "--scale", "n-1"]
        self.assert_same(spca_bench.solve(x, [3, 3], scale="n-1"), *words)

    def test_the_default_solver_is_that_of_the_program(self):
        self.assert_same(spca_bench.solve("pitprops", 5), "--dataset", "pitprops", "--cardinality", "5")
        path = spca_bench.path("pitprops", [3])
        own = json.loads(spca("path", "--dataset", "pitprops", "--cardinality", "3", "--json").stdout)
        self.assertEqual([one["solver"] for one in path.solvers], [one["solver"] for one in own["solvers"]])

    def test_the_seed_of_a_generated_data_set_is_the_program_s(self):
        read = spca_bench.load_dataset("spiked", seed=5)
        self.assert_same(
            spca_bench.solve(read, 10, seed=5), "--dataset", "spiked", "--cardinality", "10", "--seed", "5"
        )

    def test_every_cell_of_a_run_is_solved_again_to_the_same_bytes(self):
        package.need("pandas", "python3-pandas")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_python_"))
        self.addCleanup(shutil.rmtree, folder)
        names = [solver["name"] for solver in spca_bench.list_solvers()]
        grids = {"small": {"datasets": ["pitprops"], "solvers": names, "cardinality": [4], "metrics": ["explained_variance"]}}
        if package.has_data("kos"):
            fast = [name for name in names if name not in SLOW_ON_KOS]
            grids["kos"] = {"datasets": ["kos"], "solvers": fast, "cardinality": [3], "metrics": ["explained_variance"]}
        experiment = {"name": "same", "title": "Same", "time_limit": 600, "grids": grids}
        (folder / "same.json").write_text(json.dumps(experiment), encoding="utf-8")
        spca("run", folder / "same.json", "-o", folder / "run", "--no-cache")
        records = spca_bench.read_run(folder / "run")
        data = {name: spca_bench.load_dataset(name) for name in set(records.dataset)}
        compared = 0
        for record in records.to_dict("records"):
            with self.subTest(solver=record["solver"], dataset=record["dataset"]):
                if not record["loadings"]:
                    continue
                answer = spca_bench.solve(
                    data[record["dataset"]],
                    record["cardinality"],
                    components=record["components"],
                    solver=record["solver"],
                    cell_seed=record["seed"],
                )
                self.assertEqual(
                    [(c["indices"], c["values"]) for c in record["loadings"]],
                    [(c.indices.tolist(), c.values.tolist()) for c in answer.components],
                )
                compared += 1
        self.assertGreater(compared, 30 * len(grids))

    def test_threads_do_not_change_the_answer(self):
        one, two = (spca_bench.solve("pitprops", 5, solver="branch-bound", threads=threads) for threads in (1, 2))
        self.assertEqual(without_costs(one.to_dict())["components"], without_costs(two.to_dict())["components"])

    def test_path_is_that_of_the_program(self):
        path = spca_bench.path("pitprops", range(2, 6), solver=["fullpath", "tpower"])
        for name in ["fullpath", "tpower"]:
            words = ["path", "--dataset", "pitprops", "--solver", name, "--cardinality", "2:5", "--json"]
            own = json.loads(spca(*words).stdout)["solvers"][0]
            ours = null([one for one in path.solvers if one["solver"] == name][0])
            for point in [*own["points"], *ours["points"]]:
                point.pop("solve_seconds")
            self.assertEqual(ours, own)

    def test_suggestion_is_that_of_the_program(self):
        found = spca_bench.suggest("wine", most=5, permutations=19, cardinalities=range(1, 6))
        words = ["--components=5", "--permutations", "19", "--cardinality", "1:5"]
        own = json.loads(spca("path", "--dataset", "wine", *words, "--json").stdout)
        ours = null(found.to_dict())
        for one in (own, ours):
            for path in one["paths"]:
                for point in path["solvers"][0]["points"]:
                    point.pop("solve_seconds")
        self.assertEqual(ours, own)
        self.assertEqual(found.cardinality, [path["chosen"] for path in found.paths])
        self.assertEqual(len(found.to_frame()), sum(len(path["bounds"]) for path in found.paths))

    def test_a_wrong_argument_of_a_suggestion_is_named(self):
        for name, value in {
            "most": 0, "folds": 1, "permutations": 5, "cardinalities": [3, 2], "deflation": "hotelling",
            "seed": -1, "time_limit": 0,
        }.items():
            with self.assertRaisesRegex(ValueError, f"^{name}: "):
                spca_bench.suggest("wine", **{name: value})
        with self.assertRaisesRegex(ValueError, "^x: S is given, not the data"):
            spca_bench.suggest("pitprops")


class Answers(unittest.TestCase):
    def test_members_are_in_numpy_s_form(self):
        answer = spca_bench.solve("pitprops", [7, 2])
        self.assertEqual(answer.loadings.shape, (13, 2))
        np.testing.assert_allclose(np.linalg.norm(answer.loadings, axis=0), 1, rtol=1e-12)
        self.assertEqual([len(support) for support in answer.supports], [7, 2])
        self.assertEqual(answer.explained_variance, sum(c.explained_variance for c in answer.components))
        self.assertIn("search: converged", repr(answer))
        self.assertIsNone(answer.n)

    def test_paths_and_suggestions_are_one_line(self):
        path = spca_bench.path("pitprops", range(1, 4), solver=["tpower", "threshold"])
        self.assertEqual(repr(path), "<Path of tpower, threshold: 3 cardinalities from 1 to 3; p = 13>")
        found = spca_bench.suggest("wine", permutations=19)
        sizes = ", ".join(map(str, found.cardinality))
        self.assertEqual(repr(found), f"<Suggestion: {found.components} components, nonzeros {sizes}; n = {found.n}, p = 13>")

    def test_a_solver_that_does_not_answer_says_why(self):
        answer = spca_bench.solve(np.random.RandomState(0).randn(20, 200), 100, solver="exhaustive")
        self.assertFalse(answer.has_answer)
        self.assertEqual(answer.status, "skipped")
        self.assertTrue(answer.message)
        self.assertEqual(answer.loadings.shape, (200, 0))

    def test_who_needs_no_bound_is_not_made_to_wait_for_one(self):
        with_bound, without = (spca_bench.solve("pitprops", 5, bound=bound) for bound in (True, False))
        self.assertTrue(without.has_answer)
        self.assertTrue(math.isnan(without.upper_bound) and math.isnan(without.gap))
        self.assertEqual(set(with_bound.metrics) - set(without.metrics), {"gap", "upper_bound"})
        np.testing.assert_array_equal(with_bound.loadings, without.loadings)

    def test_a_time_limit_leaves_what_was_found(self):
        answer = spca_bench.solve(np.random.RandomState(0).randn(100, 300), 30, solver="search", time_limit=0.2)
        self.assertTrue(answer.has_answer)


class Certificates(unittest.TestCase):
    def test_one_component_is_held_against_the_optimum(self):
        good = spca_bench.certify("pitprops", spca_bench.solve("pitprops", 3, solver="exhaustive"))
        poor = spca_bench.certify("pitprops", spca_bench.solve("pitprops", 3, solver="threshold"))
        self.assertTrue(good.is_optimal)
        self.assertFalse(poor.is_optimal)
        self.assertAlmostEqual(good.upper_bound, poor.upper_bound, places=9)
        self.assertEqual((good.problem, good.cardinality), ("one component", [3]))
        self.assertAlmostEqual(poor.gap, (poor.upper_bound - poor.value) / poor.upper_bound)

    def test_disjoint_ones_against_the_best_disjoint_ones(self):
        optimum = spca_bench.solve("pitprops", [3, 3], solver="exhaustive-disjoint")
        certificate = spca_bench.certify("pitprops", optimum)
        self.assertEqual(certificate.problem, "disjoint supports")
        self.assertTrue(certificate.is_optimal, certificate)

    def test_orthogonal_and_other_ones_have_a_bound_too(self):
        x = "pitprops"
        orthogonal = spca_bench.certify(x, spca_bench.solve(x, [7, 6], solver="orthogonal-ascent"))
        other = spca_bench.certify(x, spca_bench.solve(x, [7, 6], deflation="projection"))
        self.assertEqual((orthogonal.problem, other.problem), ("orthogonal loadings", "any loadings"))
        for certificate in (orthogonal, other):
            self.assertLessEqual(certificate.value, certificate.upper_bound * (1 + 1e-12))

    def test_the_bound_is_on_what_was_asked_for(self):
        s = np.diag([5.0, 4, 2, 2])
        s[2, 3] = s[3, 2] = 0.828
        answer = spca_bench.solve(s, [2, 1, 1], solver="tpower", covariance=True)
        self.assertEqual([len(component) for component in answer.components], [1, 1, 1])
        self.assertEqual((answer.cardinality_asked, answer.components_asked), ([2, 1, 1], 3))
        asked = spca_bench.certify(s, answer, covariance=True)
        self.assertEqual((asked.cardinality, asked.cardinality_source), ([2, 1, 1], "asked"))
        self.assertAlmostEqual(asked.upper_bound, 11.828, places=9)
        self.assertFalse(asked.is_optimal)
        rows = answer.loadings.T
        for cardinality, source, bound in [(None, "nonzeros", 11), ([1, 1, 2], "asked", 11.828), (1, "asked", 11)]:
            certificate = spca_bench.certify(s, rows, covariance=True, cardinality=cardinality)
            self.assertEqual(certificate.cardinality_source, source)
            self.assertAlmostEqual(certificate.upper_bound, bound, places=9)
        for wrong in [0, [1, 1], 5, [1, 1, 1.5], "a"]:
            with self.assertRaisesRegex(ValueError, "^cardinality: .*accepted"):
                spca_bench.certify(s, rows, covariance=True, cardinality=wrong)
        with self.assertRaisesRegex(ValueError, "^cardinality: component 1: 2 nonzeros, 1 allowed"):
            spca_bench.certify(s, [[3.0, 4, 0, 0]], covariance=True, cardinality=1)

    def test_it_is_that_of_the_command(self):
        for cardinality in ([7, 7], [4, 4]):
            answer = spca_bench.solve("pitprops", cardinality, solver="orthogonal-ascent")
            certificate = spca_bench.certify("pitprops", answer, time_limit=5)
            words = ["--dataset", "pitprops", "--solver", "orthogonal-ascent", "--cardinality", ",".join(map(str, cardinality))]
            command = solve_words(*words, "--certify", "5")
            self.assertEqual(command["certificate"]["problem"], certificate.problem)
            self.assertEqual(command["certificate"]["source"], certificate.source)
            self.assertAlmostEqual(command["upper_bound"], certificate.upper_bound, places=4)

    def test_loadings_may_come_from_anywhere(self):
        rows = np.zeros((1, 13))
        rows[0, :3] = [3, 4, 0]
        certificate = spca_bench.certify("pitprops", rows)
        self.assertEqual(certificate.cardinality, [2])
        for wrong in [np.zeros((1, 13)), np.ones((1, 12)), np.full((1, 13), np.nan), "words", []]:
            with self.assertRaisesRegex(ValueError, "^components: "):
                spca_bench.certify("pitprops", wrong)
        with self.assertRaisesRegex(ValueError, "^components: found complex numbers"):
            spca_bench.certify("pitprops", rows * (1 + 1j))

    def test_an_answer_is_matched_with_columns_by_name(self):
        pandas = package.need("pandas", "python3-pandas")
        x = np.random.RandomState(0).randn(30, 8) @ np.random.RandomState(1).randn(8, 8)
        frame = pandas.DataFrame(x, columns=list("abcdefgh"))
        answer = spca_bench.solve(frame, [3, 2])
        reversed_frame = frame[frame.columns[::-1]]
        for components in (answer, answer.components):
            certificate = spca_bench.certify(reversed_frame, components)
            self.assertAlmostEqual(certificate.value, answer.value, places=9)
        self.assertAlmostEqual(spca_bench.certify(x, answer).value, answer.value, places=9)
        with self.assertRaisesRegex(ValueError, "^x: found 5 variables; accepted: the 8"):
            spca_bench.certify(frame.iloc[:, :5], answer)
        with self.assertRaisesRegex(ValueError, "^x: no column is called '[a-h]'; accepted"):
            spca_bench.certify(frame.set_axis(list("ijklmnop"), axis=1), answer)

    def test_an_incomplete_answer_is_not_certified_as_a_whole(self):
        x = np.random.RandomState(0).randn(30, 5)
        x[:, 2] = 1
        with self.assertWarnsRegex(UserWarning, "1 of 2 components"):
            answer = spca_bench.solve(x, [4, 1])
        with self.assertRaisesRegex(ValueError, "^components: the answer has 1 of 2 components; accepted: a complete"):
            spca_bench.certify(x, answer)
        self.assertTrue(spca_bench.certify(x, answer.components).is_optimal)


class Mistakes(unittest.TestCase):
    def test_each_names_its_argument_and_what_is_accepted(self):
        x = np.random.RandomState(0).randn(10, 4)
        wrong = {
            "cardinality": [0, 5, 2.5, "a", True, [], [1, 0], None],
            "solver": ["tpowr", 3],
            "components": [0, 9, 1.5],
            "options": [3, {"no_such": 1}, {"starts": -1}, {"starts": "x"}, {"starts": object()}],
            "deflation": ["hotel", 3],
            "seed": [-1, 2**64, 1.5, "a"],
            "threads": [0, "a"],
            "time_limit": [0, -1, "a", float("nan")],
            "scale": ["m", 1],
            "center": ["yes"],
            "covariance": [1],
            "bound": [1],
            "names": [["a"]],
            "cell_seed": [-1],
        }
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    with self.assertRaises(ValueError) as raised:
                        spca_bench.solve(x, **{"cardinality": 2, name: value})
                    self.assertTrue(str(raised.exception).startswith(name), raised.exception)
                    self.assertIn("accepted", str(raised.exception))

    def test_what_is_no_data_is_named_by_its_type(self):
        for value, name in [(None, "NoneType"), ({}, "dict"), (3, "int")]:
            with self.assertRaisesRegex(ValueError, f"^x: found {name}; accepted: a matrix"):
                spca_bench.solve(value, 1)

    def test_an_array_of_one_number_is_a_number(self):
        x = np.random.RandomState(0).randn(10, 4)
        self.assertEqual(spca_bench.solve(x, np.array(2)).cardinality_asked, [2])
        for call in (spca_bench.solve, lambda x: spca_bench.compare_solvers(x, None)):
            with self.assertRaisesRegex(ValueError, "^cardinality: .*component; `suggest` helps to choose$"):
                call("pitprops")
        with self.assertRaisesRegex(ValueError, "^cardinality: found 2.5"):
            spca_bench.solve(x, np.array(2.5))

    def test_those_of_the_other_functions_do_too(self):
        x = np.random.RandomState(0).randn(10, 4)
        calls = {
            "cardinalities": [lambda v=v: spca_bench.path(x, v) for v in ([0], [2, 1], [5], [], 1.5)],
            "resamples": [lambda: spca_bench.path(x, [1], resamples=1)],
            "folds": [lambda: spca_bench.path(x, [1], folds=-1)],
            "name": [lambda: spca_bench.load_dataset("pitprop"), lambda: spca_bench.describe("tpowr"), lambda: spca_bench.forget("tpower")],
            "kind": [lambda: spca_bench.describe("tpower", 3), lambda: spca_bench.read_verdicts(".", "all")],
        }
        for name, functions in calls.items():
            for function in functions:
                with self.subTest(name):
                    with self.assertRaises(ValueError) as raised:
                        function()
                    self.assertTrue(str(raised.exception).startswith(name), raised.exception)
                    self.assertIn("accepted", str(raised.exception))

    def test_a_missing_file_says_how_to_get_it(self):
        with self.assertRaisesRegex(FileNotFoundError, "spca fetch"):
            spca_bench.load_dataset("kos", data_dir="/nowhere")


if __name__ == "__main__":
    package.main()
