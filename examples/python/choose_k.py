"""Chooses the number of variables of a component: value, bound, stability, left-out error against k.

    PYTHONPATH=build/release/python python3 examples/python/choose_k.py --figure choose_k.png
"""

import argparse

import numpy as np

import spca_bench

TRUE_K = 8


def spiked(n=60, p=100, seed=0):
    """One component on TRUE_K variables, in noise."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p))
    x[:, :TRUE_K] += rng.standard_normal((n, 1)) * np.linspace(1.6, 1.0, TRUE_K)
    return x


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", help="a file that ends in .png, .svg or .pdf")
    arguments = parser.parse_args()

    path = spca_bench.path(spiked(), range(1, 31), solver="fullpath", resamples=50)
    frame = path.to_frame()
    columns = ["cardinality", "value", "upper_bound", "stability", "reconstruction_error"]
    print(frame[columns].iloc[::3].to_string(index=False, float_format="%.3f"))
    suggested = path.suggestion()
    rules = ", ".join(f"{rule} {k}" for rule, k in suggested.items())
    print(f"planted: {TRUE_K}; suggested: {rules}")
    if arguments.figure:
        draw(frame, suggested, arguments.figure)


def draw(frame, suggested, file):
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    k = frame.cardinality
    panels[0].plot(k, frame.upper_bound, color="0.5", label="no component has more")
    panels[0].plot(k, frame.value, "o-", markersize=3, label="fullpath")
    panels[0].set(title="Explained variance", xlabel="k")
    panels[1].plot(k, frame.stability, "o-", markersize=3)
    panels[1].set(title="Stability of the support", xlabel="k")
    error = frame.reconstruction_error
    spread = frame.reconstruction_standard_error
    panels[2].errorbar(k, error, yerr=spread, fmt="o-", markersize=3, elinewidth=0.6)
    panels[2].set(title="Error on samples left out", xlabel="k")
    for panel in panels:
        panel.axvline(TRUE_K, color="tab:green", linestyle=":", label=f"planted, {TRUE_K}")
    chosen = suggested["one_standard_error"]
    label = f"within one standard error, {chosen}"
    panels[2].axvline(chosen, color="tab:red", linestyle="--", label=label)
    for panel in panels:
        panel.legend()
    figure.savefig(file)


if __name__ == "__main__":
    main()
