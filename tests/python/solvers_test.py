"""Solvers that are written in Python. Run by ctest, or: /usr/bin/python3 tests/python/solvers_test.py"""

import unittest

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()


def truncated_power(S, k, steps=200):
    """Power steps that keep the k largest entries."""
    v = np.zeros(S.p)
    v[np.argmax(S.diagonal())] = 1
    for _ in range(steps):
        if not S.next(v @ S.multiply(v)):
            break
        w = S.multiply(v)
        w[np.argsort(-np.abs(w), kind="stable")[k:]] = 0
        v = w / np.linalg.norm(w)
    return v


def leading_on_largest(S, k):
    support = np.sort(np.argsort(-S.diagonal(), kind="stable")[:k])
    return support[::-1], np.linalg.eigh(S.submatrix(support[::-1]))[1][:, -1]


class Registered(unittest.TestCase):
    def setUp(self):
        spca_bench.solver("mine")(truncated_power)
        self.addCleanup(spca_bench.forget, "mine")

    def test_it_is_solved_judged_and_deflated_like_any_other(self):
        answer = spca_bench.solve("pitprops", [5, 4], solver="mine")
        self.assertEqual((answer.status, [len(c) for c in answer.components]), ("converged", [5, 4]))
        self.assertFalse(set(answer.supports[0]) & set(answer.supports[1]))
        self.assertLessEqual(answer.gap, 0.2)
        np.testing.assert_allclose(
            answer.components[0].explained_variance, spca_bench.solve("pitprops", 5, solver="tpower").explained_variance, rtol=0.05
        )

    def test_it_is_listed_and_described(self):
        self.assertIn("mine", [solver["name"] for solver in spca_bench.list_solvers()])
        described = spca_bench.describe("mine")
        self.assertEqual(described["summary"], "Power steps that keep the k largest entries.")
        self.assertEqual([(o["name"], o["type"], o["default"]) for o in described["options"]], [("steps", "integer", 200)])

    def test_its_name_is_one_that_the_command_accepts(self):
        for wrong in ["Bad Name", "bad_name", "", "1st", "a--b", "a-", 3]:
            with self.assertRaisesRegex(ValueError, "^name: found .*accepted: lower-case"):
                spca_bench.solver(wrong)(truncated_power)

    def test_its_options_are_checked(self):
        one = spca_bench.solve("pitprops", 5, solver="mine", options={"steps": 1})
        self.assertLess(one.explained_variance, spca_bench.solve("pitprops", 5, solver="mine").explained_variance)
        for wrong in [{"step": 1}, {"steps": "many"}]:
            with self.assertRaisesRegex(ValueError, "^options.*accepted"):
                spca_bench.solve("pitprops", 5, solver="mine", options=wrong)

    def test_it_stands_beside_others_in_a_path(self):
        path = spca_bench.path("pitprops", [2, 4, 6], solver=["mine", "tpower"])
        self.assertEqual([solver["solver"] for solver in path.solvers], ["mine", "tpower"])
        self.assertTrue(all(point["value"] > 0 for point in path.solvers[0]["points"]))

    def test_a_second_function_replaces_the_first(self):
        spca_bench.solver("mine")(leading_on_largest)
        ours = spca_bench.solve("pitprops", 5, solver="mine")
        same = spca_bench.solve("pitprops", 5, solver="diagonal", options={})
        self.assertEqual(ours.components[0].explained_variance > 0, same.has_answer)
        self.assertEqual(spca_bench.describe("mine")["options"], [])


class Wrong(unittest.TestCase):
    def solve(self, function, cardinality=3, **promises):
        spca_bench.solver("mine", **promises)(function)
        self.addCleanup(spca_bench.forget, "mine")
        return spca_bench.solve("pitprops", cardinality, solver="mine")

    def test_the_judge_believes_nothing(self):
        invalid = self.solve(lambda S, k: np.ones(S.p))
        self.assertEqual(invalid.status, "invalid")
        self.assertTrue(np.isnan(invalid.explained_variance))

    def test_a_promise_is_checked(self):
        def twice(S, k):
            return [truncated_power(S, k[0])] * len(k)

        self.assertEqual(self.solve(twice, [3, 3], multiple_components=True, disjoint=True).status, "invalid")

    def test_exceptions_arrive_as_they_are(self):
        def division(S, k):
            return 1 / 0

        with self.assertRaises(ZeroDivisionError):
            self.solve(division)

    def test_answers_of_another_form_are_refused(self):
        for answer in ["words", np.ones(5), None, ([1, 2], [1.0])]:
            with self.subTest(answer), self.assertRaisesRegex(ValueError, "^the answer: .*accepted"):
                spca_bench.solver("odd")(lambda S, k, answer=0: answer if answer else None)
                self.addCleanup(lambda: None)
                spca_bench.solver("odd")(_giving(answer))
                spca_bench.solve("pitprops", 3, solver="odd")
        spca_bench.forget("odd")

    def test_the_operator_ends_with_its_solve(self):
        kept = []

        def keep(S, k):
            kept.append(S)
            return truncated_power(S, k)

        self.solve(keep)
        for use in (lambda S: S.diagonal(), lambda S: S.next(), lambda S: S.p):
            with self.assertRaisesRegex(ValueError, "^the operator: its solve is over"):
                use(kept[0])

    def test_names_of_the_program_are_taken(self):
        for name in ["tpower", ""]:
            with self.assertRaisesRegex(ValueError, "^name: "):
                spca_bench.solver(name)(truncated_power)
        for function in [lambda S: 0, lambda S, k, other: 0, lambda S, k, **others: 0]:
            with self.assertRaisesRegex(ValueError, "^function: .*accepted"):
                spca_bench.solver("mine")(function)


def _giving(answer):
    return lambda S, k: answer


class Operators(unittest.TestCase):
    def test_products_are_those_of_the_covariance(self):
        x = np.random.RandomState(0).randn(30, 6)
        s = np.cov(x.T, bias=True)

        def compare(S, k):
            v = np.arange(6.0)
            np.testing.assert_allclose(S.multiply(v), s @ v, rtol=1e-10)
            np.testing.assert_allclose(S.multiply(np.eye(6)[:, ::-2]), s[:, ::-2], rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(S.diagonal(), np.diag(s), rtol=1e-12)
            np.testing.assert_allclose(S.columns([4, 1]), s[:, [4, 1]], rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(S.submatrix([4, 1, 4]), s[np.ix_([4, 1, 4], [4, 1, 4])], rtol=1e-10, atol=1e-12)
            for wrong in (lambda: S.multiply(np.ones(5)), lambda: S.columns([6]), lambda: S.submatrix([-1])):
                with self.assertRaisesRegex(ValueError, "accepted"):
                    wrong()
            return v

        spca_bench.solver("compare")(compare)
        self.addCleanup(spca_bench.forget, "compare")
        self.assertEqual(spca_bench.solve(x, 5, solver="compare").status, "converged")


if __name__ == "__main__":
    package.main()
