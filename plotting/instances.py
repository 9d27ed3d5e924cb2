"""Answers to instances of the library (docs/BENCHMARK.md). `spca plot` judges each record, as "instances" of its request."""

import math

import problems
import records


def key(one):
    """Returns the key of a cell, for a record or for a judged answer."""
    return one["grid"], one["dataset"], one["solver"], tuple(one["cardinality"])


def judged(context):
    """Returns {key: the judgement of `spca plot` on the cell}."""
    return {key(one): one for one in context.get("instances", [])}


def answering(cells, context):
    """The records without those that answer another question than that of their instance."""
    found = judged(context)
    return [record for record in cells if found.get(key(record), {}).get("outcome") != "not applicable"]


def asked(cells, context):
    """The judged cells of these records, in their order; records without an instance are left out."""
    found = judged(context)
    return [found[key(record)] for record in cells if key(record) in found]


def mean_shortfall(some):
    """The mean share of the best known values that the answers lack; None without an answer to each."""
    shortfalls = [one["shortfall"] for one in some]
    return None if None in shortfalls else records.mean(shortfalls)


def mean_cost(some, against):
    """Returns the geometric mean, None if a cost is not known. An answer without any product is not infinitely cheap."""
    costs = [one[against] for one in some]
    if not costs or None in costs:
        return None
    least = 1 if against == "products" else 1e-9
    return math.exp(records.mean([math.log(max(cost, least)) for cost in costs]))


def several(count):
    return problems.several(count, "instance")
