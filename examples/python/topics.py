"""Topics of 3430 blog entries: five disjoint components of ten words each (data set kos).

    spca fetch kos
    PYTHONPATH=build/release/python python3 examples/python/topics.py --figure topics.png
"""

import argparse

import numpy as np

import spca_bench

TOPICS, WORDS = 5, 10


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", help="a file that ends in .png, .svg or .pdf")
    arguments = parser.parse_args()

    data = spca_bench.load_dataset("kos")
    print(f"{data.n} documents, {data.p} words")
    # One after the other, then all at once with no word in two topics.
    one_by_one = spca_bench.solve(data, [WORDS] * TOPICS, solver="tpower")
    at_once = spca_bench.solve(data, [WORDS] * TOPICS, solver="bipart-ascent")
    for answer in (one_by_one, at_once):
        value = f"{answer.explained_variance:.4f}, gap {answer.gap:.1%}"
        print(f"\n{answer.solver}: explained variance {value}")
        for component in answer.components:
            order = np.argsort(-np.abs(component.values))
            print("  " + ", ".join(component.names[i] for i in order))
    if arguments.figure:
        draw(at_once, arguments.figure)


def draw(answer, file):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, TOPICS, figsize=(13, 3.6), layout="constrained")
    for j, (panel, component) in enumerate(zip(axes, answer.components)):
        order = np.argsort(component.values)
        values = component.values[order]
        panel.barh([component.names[i] for i in order], values)
        panel.set(title=f"topic {j + 1}", xlabel="loading")
    figure.suptitle(f"Topics of kos, {WORDS} words each, no word in two topics")
    figure.savefig(file)


if __name__ == "__main__":
    main()
