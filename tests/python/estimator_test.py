"""SparsePCA among scikit-learn's estimators. Run by ctest, or: /usr/bin/python3 tests/python/estimator_test.py"""

import pickle
import unittest

import package

np = package.need("numpy", "python3-numpy")
sklearn = package.need("sklearn", "python3-sklearn")
spca_bench = package.spca_bench()
from sklearn.base import clone  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

from spca_bench import SparsePCA  # noqa: E402

SOLVERS = ["search", "tpower", "fullpath", "threshold", "gpower-l0", "em", "branch-bound", "spca-l1", "pca"]


def blocks(n=80, p=12, seed=0):
    """Two groups of variables that vary together, and noise."""
    rng = np.random.RandomState(seed)
    x = rng.randn(n, p)
    x[:, :4] += 3 * rng.randn(n, 1)
    x[:, 4:7] += 2 * rng.randn(n, 1)
    return x + 5


class Conventions(unittest.TestCase):
    def test_check_estimator_passes_whole(self):
        for solver in SOLVERS:
            with self.subTest(solver):
                check_estimator(SparsePCA(solver=solver))

    def test_it_passes_for_several_components_too(self):
        for estimator in (SparsePCA(cardinality=1, n_components=2, center=False), SparsePCA(solver="orthogonal-ascent")):
            check_estimator(estimator)

    def test_it_clones_and_pickles(self):
        model = SparsePCA(cardinality=[4, 3], deflation="projection", random_state=3)
        self.assertEqual(clone(model).get_params(), model.get_params())
        x = blocks()
        again = pickle.loads(pickle.dumps(model.fit(x)))
        np.testing.assert_array_equal(again.transform(x), model.transform(x))
        self.assertEqual(repr(again.answer_.to_dict()), repr(model.answer_.to_dict()))  # nan is not nan

    def test_it_stands_in_a_pipeline_and_a_grid_search(self):
        x = blocks()
        y = (x[:, :4].sum(axis=1) > 20).astype(int)
        pipeline = make_pipeline(StandardScaler(), SparsePCA(n_components=2), LogisticRegression())
        search = GridSearchCV(pipeline, {"sparsepca__cardinality": [1, 4], "sparsepca__solver": ["tpower", "fullpath"]}, cv=3)
        self.assertGreater(search.fit(x, y).best_score_, 0.9)
        alone = GridSearchCV(SparsePCA(), {"cardinality": [1, 4]}, cv=3).fit(x)
        self.assertEqual(alone.best_params_, {"cardinality": 4})

    def test_frames_go_in_and_out(self):
        pandas = package.need("pandas", "python3-pandas")
        frame = pandas.DataFrame(blocks(), columns=[f"v{i}" for i in range(12)])
        model = SparsePCA(cardinality=[4, 3]).fit(frame)
        self.assertEqual(model.feature_names_in_.tolist(), list(frame.columns))
        self.assertEqual(model.get_feature_names_out().tolist(), ["sparsepca0", "sparsepca1"])
        out = model.set_output(transform="pandas").transform(frame)
        self.assertEqual(list(out.columns), ["sparsepca0", "sparsepca1"])
        self.assertEqual(out.index.tolist(), frame.index.tolist())

    def test_equal_names_are_taken_by_place_or_refused(self):
        pandas = package.need("pandas", "python3-pandas")
        x = blocks()[:, :4]
        equal = pandas.DataFrame(x, columns=["a", "b", "a", "c"])
        unique = pandas.DataFrame(x, columns=["a", "b", "d", "c"])
        model = SparsePCA(cardinality=2).fit(equal)
        np.testing.assert_array_equal(model.transform(equal), SparsePCA(cardinality=2).fit(x).transform(x))
        with self.assertRaisesRegex(ValueError, "feature names"):
            model.transform(unique)
        with self.assertRaisesRegex(ValueError, "feature names"):
            SparsePCA(cardinality=2).fit(unique).transform(equal)

    def test_tags_of_later_versions(self):
        self.assertTrue(hasattr(SparsePCA, "__sklearn_tags__"))


class Numbers(unittest.TestCase):
    def test_the_answer_is_that_of_solve(self):
        x = blocks()
        model = SparsePCA(cardinality=[4, 3], random_state=5, solver="em").fit(x)
        answer = spca_bench.solve(x, [4, 3], solver="em", seed=5, scale="n-1")
        np.testing.assert_array_equal(model.components_, answer.loadings.T)
        self.assertEqual((model.upper_bound_, model.gap_, model.status_), (answer.upper_bound, answer.gap, answer.status))
        self.assertEqual([s.tolist() for s in model.supports_], [[0, 1, 2, 3], [4, 5, 6]])

    def test_without_a_bound_nothing_else_changes(self):
        x = blocks()
        with_bound, without = (SparsePCA(cardinality=[4, 3], bound=bound).fit(x) for bound in (True, False))
        self.assertTrue(np.isnan(without.upper_bound_) and np.isnan(without.gap_) and with_bound.gap_ >= 0)
        np.testing.assert_array_equal(with_bound.components_, without.components_)
        np.testing.assert_array_equal(with_bound.explained_variance_, without.explained_variance_)

    def test_without_sparsity_it_is_pca(self):
        x = blocks()
        model, pca = SparsePCA(3, solver="pca").fit(x), PCA(3).fit(x)
        np.testing.assert_allclose(model.explained_variance_, pca.explained_variance_, rtol=1e-9)
        np.testing.assert_allclose(model.explained_variance_ratio_, pca.explained_variance_ratio_, rtol=1e-9)
        np.testing.assert_allclose(np.abs(model.transform(x)), np.abs(pca.transform(x)), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(model.inverse_transform(model.transform(x)), pca.inverse_transform(pca.transform(x)), rtol=1e-8)

    def test_it_never_explains_more_than_pca_also_if_components_overlap(self):
        x = blocks(seed=1)
        ceiling = np.cumsum(PCA(6).fit(x).explained_variance_)
        for deflation in ("projection", "schur", "hotelling", "remove-support"):
            model = SparsePCA(6, cardinality=2 if deflation == "remove-support" else 7, deflation=deflation).fit(x)
            self.assertTrue(np.all(np.cumsum(model.explained_variance_) <= ceiling * (1 + 1e-9)), deflation)
            # By brute force: the variance of X projected on the span.
            for j in range(1, model.n_components_ + 1):
                basis = np.linalg.qr(model.components_[:j].T)[0]
                projected = np.sum(np.var(x @ basis, axis=0, ddof=1))
                self.assertAlmostEqual(np.sum(model.explained_variance_[:j]), projected, places=8)

    def test_the_default_cardinality_leaves_each_component_variables(self):
        x = np.random.default_rng(4).normal(size=(50, 30))
        model = SparsePCA(8).fit(x)
        self.assertEqual((model.n_components_, model.status_), (8, "converged"))
        self.assertTrue(all(len(support) <= 3 for support in model.supports_))
        self.assertEqual(len(SparsePCA(30).fit(x).components_), 30)

    def test_fewer_components_than_asked_for_are_said(self):
        x = np.random.default_rng(4).normal(size=(50, 30))
        with self.assertWarnsRegex(UserWarning, "2 of 3 components; .* a sum of at most 30") as said:
            model = SparsePCA(3, cardinality=25).fit(x)
        self.assertEqual(len(said.warnings), 1)
        self.assertEqual((model.n_components_, model.status_), (2, "incomplete"))
        self.assertTrue(np.isnan(model.upper_bound_))
        self.assertEqual(model.transform(x).shape, (50, 2))

    def test_scores_go_there_and_back(self):
        x = blocks()
        model = SparsePCA(cardinality=[6, 6], deflation="projection").fit(x)
        scores = model.transform(x)
        np.testing.assert_allclose(scores, (x - x.mean(axis=0)) @ model.components_.T, rtol=1e-9, atol=1e-12)
        back = model.inverse_transform(scores)
        np.testing.assert_allclose(model.transform(back), scores, rtol=1e-9, atol=1e-9)
        centred = x - x.mean(axis=0)
        share = 1 - np.sum((x - back) ** 2) / np.sum(centred**2)
        self.assertAlmostEqual(model.score(x), share, places=10)
        self.assertAlmostEqual(model.score(x), np.sum(model.explained_variance_ratio_), places=10)

    def test_sparse_data_stay_sparse_and_have_the_same_components(self):
        scipy = package.need("scipy.sparse", "python3-scipy")
        rng = np.random.RandomState(0)
        x = np.where(rng.rand(60, 20) < 0.3, rng.randint(1, 9, (60, 20)), 0).astype(float)
        dense = SparsePCA(cardinality=[3, 3]).fit(x)
        for sparse in (scipy.csr_matrix(x), scipy.csc_matrix(x)):
            model = SparsePCA(cardinality=[3, 3]).fit(sparse)
            np.testing.assert_allclose(model.components_, dense.components_, rtol=1e-9)
            np.testing.assert_allclose(model.transform(sparse), dense.transform(x), rtol=1e-9, atol=1e-12)
            self.assertAlmostEqual(model.score(sparse), dense.score(x), places=10)

    def test_large_means_cost_scores_no_digits(self):
        scipy = package.need("scipy.sparse", "python3-scipy")
        x = np.round(blocks() * 1024) / 1024 + 2.0**30
        x[:, 11] = np.arange(len(x)) % 4 == 0  # mostly zeros
        small = x - np.where(np.arange(12) < 11, 2.0**30, 0)  # exact
        expected = SparsePCA(cardinality=[5, 12], solver="tpower").fit(small)
        for form in (np.asarray, scipy.csr_matrix, scipy.csc_matrix):
            model = SparsePCA(cardinality=[5, 12], solver="tpower").fit(form(x))
            np.testing.assert_allclose(model.components_, expected.components_, rtol=1e-9, atol=1e-12)
            # The means alone are rounded, to 2^-23.
            np.testing.assert_allclose(model.transform(form(x)), expected.transform(small), atol=1e-6)
            scores = model.transform(form(x))
            differences = expected.transform(small)[0] - expected.transform(small)
            np.testing.assert_allclose(scores[0] - scores, differences, rtol=1e-9, atol=1e-12)
            self.assertAlmostEqual(model.score(form(x)), expected.score(small), places=10)


class Mistakes(unittest.TestCase):
    def test_each_names_its_parameter(self):
        wrong = {
            "n_components": [0, 99, 1.5, "a"],
            "cardinality": [0, 99, "a", [1, 0], 2.5],
            "solver": ["no-such", 3],
            "options": [{"no_such": 1}, 3],
            "deflation": ["no-such"],
            "scale": ["n-2"],
            "center": ["yes"],
            "random_state": [-1],
            "time_limit": [0, "a"],
            "n_jobs": [0, "a"],
            "bound": ["yes"],
        }
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name=name, value=value), self.assertRaises(ValueError) as raised:
                    SparsePCA(**{name: value}).fit(blocks())
                self.assertRegex(str(raised.exception), f"^{name}.*accepted")

    def test_what_cannot_be_solved_says_why(self):
        with self.assertRaisesRegex(ValueError, "no variable with positive variance"):
            SparsePCA().fit(np.ones((5, 3)))


if __name__ == "__main__":
    package.main()
