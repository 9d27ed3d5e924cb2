"""Libraries of instances on pit props, as the tests of Python's and R's answers need them."""


def instance(k, support, value, bound):
    """One component of k variables: the best known support, its value, and an upper bound."""
    found_by = {"solver": "a hand", "version": "", "options": None}
    proof = {"value": bound, "by": "branch-bound", "version": "", "options": None, "seconds": 0, "limit": 1}
    return {
        "id": f"pitprops-k{k}",
        "data": "pitprops",
        "r": 1,
        "k": k,
        "best": {"value": value, "supports": [support], "found_by": found_by},
        "bound": {**proof, "certificate": "checked", "machine": ""},
        "status": "open",
        "gap": 0.1,
    }


def library(*instances):
    """The contents of one-component.json."""
    pitprops = {"dataset": "pitprops", "options": {}, "draw": None, "checksum": "", "n": 0, "p": 13, "trace": 13}
    return {
        "schema": 1,
        "class": "one-component",
        "edition": "2026",
        "data": {"pitprops": pitprops},
        "instances": list(instances),
    }
