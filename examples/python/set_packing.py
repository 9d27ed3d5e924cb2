"""Is the set-packing relaxation of disjoint components tight? On generated problems, by enumeration.

    /usr/bin/python3 examples/python/set_packing.py --figure gaps.png

Each support I with at most k variables is a column of weight lambda_max(S_II). A variable is in at most
one chosen column, and at most r columns are chosen. The linear relaxation is solved by HiGHS, and the
integer program too. docs/SET_PACKING.md has the table, and says what it shows.
"""

import argparse
import itertools

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

# A share of the value below which two optima are the same.
TOLERANCE = 1e-7


def correlation(data):
    return np.corrcoef(data, rowvar=False)


def noise(rng, p, k):
    """Independent variables, twice as many samples."""
    return correlation(rng.standard_normal((2 * p, p)))


def blocks(rng, p, size):
    """Groups of `size` variables, each with a factor of its own, in 100 samples."""
    data = rng.standard_normal((100, p))
    for first in range(0, p, size):
        members = range(first, min(first + size, p))
        data[:, members] += rng.standard_normal((100, 1)) * rng.uniform(0.5, 2)
    return correlation(data)


def groups_of_k(rng, p, k):
    return blocks(rng, p, k)


def groups_of_one_more(rng, p, k):
    return blocks(rng, p, k + 1)


def falling_spectrum(rng, p, k):
    """Eigenvalues 1, 1/2, 1/3 ..., random eigenvectors."""
    vectors = np.linalg.qr(rng.standard_normal((p, p)))[0]
    return vectors / np.arange(1, p + 1) @ vectors.T


def falling_variances(rng, p, k):
    """Counts of words: variances that fall as 1/j, and one topic of k + 1 words."""
    data = rng.poisson(3 / np.arange(1, p + 1), (300, p)).astype(float)
    data[:, rng.choice(p, k + 1, replace=False)] += rng.poisson(0.3, (300, 1))
    return np.cov(data, rowvar=False)


KINDS = {
    "noise": noise,
    "groups of k": groups_of_k,
    "groups of k + 1": groups_of_one_more,
    "falling spectrum": falling_spectrum,
    "falling variances": falling_variances,
}
SHAPES = [(2, 2), (3, 2), (2, 3), (3, 3), (2, 4)]  # r, k


def columns_of(covariance, k):
    """The supports of at most k variables, and their weights."""
    p = len(covariance)
    supports = [list(s) for size in range(1, k + 1) for s in itertools.combinations(range(p), size)]
    weights = [np.linalg.eigvalsh(covariance[np.ix_(s, s)])[-1] for s in supports]
    return supports, np.array(weights)


def optima(covariance, r, k):
    """The optimum of the relaxation with its solution, and of the integer program."""
    supports, weights = columns_of(covariance, k)
    rows = np.zeros((len(covariance) + 1, len(supports)))
    for column, support in enumerate(supports):
        rows[support, column] = 1
    rows[-1] = 1
    most = np.append(np.ones(len(covariance)), r)
    relaxed = linprog(-weights, A_ub=rows, b_ub=most, method="highs-ds")
    integral = milp(
        -weights,
        constraints=LinearConstraint(rows, ub=most),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(weights)),
        options={"mip_rel_gap": 0},
    )
    chosen = [(share, support) for share, support in zip(relaxed.x, supports) if share > 1e-6]
    return -relaxed.fun, chosen, -integral.fun


def smallest_fractional():
    """Three variables of correlation .8 and an independent one: two components of two variables."""
    covariance = np.eye(4)
    covariance[:3, :3] += 0.8 * (1 - np.eye(3))
    relaxed, chosen, integral = optima(covariance, 2, 2)
    print("three variables of correlation .8 and an independent one, r = 2, k = 2")
    print(f"  relaxation {relaxed:.4f}, integral {integral:.4f}")
    for share, support in chosen:
        print(f"  {share:.2f} of {{{', '.join(str(i + 1) for i in support)}}}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--variables", type=int, default=12)
    parser.add_argument("--figure", help="a file that ends in .png, .svg or .pdf")
    arguments = parser.parse_args()
    each = arguments.problems // len(KINDS)
    print(f"{'kind':18} {'problems':>8} {'fractional':>10} {'mean gap':>9} {'largest gap':>11}")
    gaps_of = {}
    for number, (name, kind) in enumerate(KINDS.items()):
        rng = np.random.default_rng([7, number])
        gaps = gaps_of[name] = []
        for problem in range(each):
            r, k = SHAPES[problem % len(SHAPES)]
            relaxed, _, integral = optima(kind(rng, arguments.variables, k), r, k)
            assert relaxed > integral * (1 - TOLERANCE), "a relaxation is never below its optimum"
            gaps.append(max(0.0, relaxed / integral - 1))
        open_gaps = [gap for gap in gaps if gap > TOLERANCE]
        mean = np.mean(open_gaps) if open_gaps else 0
        print(f"{name:18} {each:8} {len(open_gaps):10} {mean:9.2%} {max(gaps):11.2%}")
    smallest_fractional()
    if arguments.figure:
        draw(gaps_of, arguments.figure)


def draw(gaps_of, file):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for row, gaps in enumerate(gaps_of.values()):
        spread = row + np.linspace(-0.3, 0.3, len(gaps))
        axes.plot(100 * np.array(gaps), spread, "o", markersize=4, alpha=0.6, clip_on=False)
    axes.set_yticks(range(len(gaps_of)), gaps_of)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set(xlabel="relaxation above the optimum, %", title="Where the set-packing relaxation is not tight")
    figure.savefig(file)


if __name__ == "__main__":
    main()
