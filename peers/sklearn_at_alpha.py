"""scikit-learn's SparsePCA at a given alpha, for one problem of spca (docs/PEERS.md).

The data are B times sqrt(n - 1): with S a correlation matrix of n samples, variables of variance one, as users pass
them. Or they are the 500 draws of normal_draws.R from a normal with S = B'B, made here from R's random numbers.
Components are scaled to unit length.
"""

import sys

import cardinality
import numpy as np
import scipy.special
import sklearn.decomposition

DRAWS = 500


def r_normals(seed, count):
    """Returns the numbers of R's rnorm(count) after set.seed(seed): Mersenne-Twister, inversion."""
    words = []
    for _ in range(50 + 625):
        seed = (69069 * seed + 1) % 2**32
        words.append(seed)
    generator = np.random.MT19937()
    generator.state = {"bit_generator": "MT19937", "state": {"key": np.array(words[51:], dtype=np.uint32), "pos": 624}}
    uniform = generator.random_raw(2 * count) * 2.3283064365386963e-10
    large = 2**27
    return scipy.special.ndtri((np.floor(large * uniform[::2]) + uniform[1::2]) / large)


def normal_draws(s, seed, signs):
    """The draws of normal_draws.R, which says what `signs` are."""
    if len(signs) != len(s) or not set(signs) <= {"+", "-"}:
        sys.exit(f"found {len(signs)} signs; accepted: one + or - for each of {len(s)} variables")
    normals = r_normals(seed, DRAWS * len(s)).reshape(DRAWS, len(s), order="F")
    values, vectors = np.linalg.eigh((s + s.T) / 2)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    largest = vectors[np.abs(vectors).argmax(axis=0), range(len(s))]
    vectors = vectors * np.sign(largest) * [1 if sign == "+" else -1 for sign in signs]
    return normals @ (np.sqrt(values) * vectors).T


def main():
    problem = cardinality.read_problem()
    options = problem["options"]
    data = cardinality.read_data(problem)
    if options["draws"] == "none":
        data = data * np.sqrt(len(data) - 1)
    else:
        data = normal_draws(data.T @ data, options["draws_seed"], options["draws"])
    model = sklearn.decomposition.SparsePCA(
        n_components=problem["components"], alpha=options["alpha"], random_state=problem["seed"]
    )
    found = model.fit(data).components_.T
    lengths = np.linalg.norm(found, axis=0)
    if np.any(lengths == 0):
        sys.exit(f"alpha {options['alpha']} leaves a component empty")
    np.save(problem["answer"], found / lengths)


main()
