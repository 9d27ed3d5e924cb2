"""Says the result of a run in one sentence, made from its verdicts. Counts are separate, because a reproduced number means
something different in each (docs/EXPERIMENTS.md)."""

# The noun of each count, singular and plural.
NOUNS = {
    "own": ("number of the paper's method", "numbers of the paper's method"),
    "baseline": ("number of the paper's competitors", "numbers of the paper's competitors"),
    "other": ("printed number that our other solvers are held to", "printed numbers that our other solvers are held to"),
    "check": ("check of the set-up", "checks of the set-up"),
    "by_hand": ("number that follows from a formula", "numbers that follow from a formula"),
    "program": ("number of another program", "numbers of another program"),
    "certified": ("comparison with a proved optimum", "comparisons with proved optima"),
}
CLAIMS = {"claims": "claim of the paper", "our_claims": "claim of ours"}
# The verdicts on a number in their order, each with its verb phrase in the singular and in the plural.
VERDICTS = {
    "reproduced": ("is reproduced", "are reproduced"),
    "higher": ("is higher", "are higher"),
    "lower": ("is lower", "are lower"),
    "differs": ("differs", "differ"),
    "too noisy to tell": ("is too noisy to tell", "are too noisy to tell"),
    "not comparable": ("is not comparable", "are not comparable"),
    "no public data": ("has no public data", "have no public data"),
    "not run": ("was not run", "were not run"),
}


def listed(parts):
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def number_clause(count, verdicts):
    """Returns "38 of 41 numbers of the paper's method are reproduced, 2 are higher and 1 is lower";
    "" for an empty count."""
    total = sum(verdicts.values())
    if total == 0:
        return ""
    one, several = NOUNS[count]
    if total == 1:
        verdict = next(verdict for verdict in VERDICTS if verdicts.get(verdict))
        return f"the {one} {VERDICTS[verdict][0]}"
    reproduced = verdicts["reproduced"]
    if reproduced == total:
        return f"all {total} {several} are reproduced"
    if verdicts["not run"] == total:
        return f"none of {total} {several} was run"
    others = [
        f"{verdicts[verdict]} {verbs[verdicts[verdict] != 1]}"
        for verdict, verbs in VERDICTS.items()
        if verdict != "reproduced" and verdicts.get(verdict)
    ]
    verb = VERDICTS["reproduced"][reproduced > 1]
    return listed([f"{reproduced or 'none'} of {total} {several} {verb}", *others])


def claim_clause(name, verdicts):
    total = sum(verdicts.values())
    if total == 0:
        return ""
    if verdicts["holds"] == total:
        return f"the {name} holds" if total == 1 else f"every {name} holds"
    verbs = {
        "holds": ("holds", "hold"),
        "fails": ("fails", "fail"),
        "undecided": ("cannot be told", "cannot be told"),
        "not run": ("was not run", "were not run"),
    }
    if total == 1:
        verdict = next(verdict for verdict in verbs if verdicts[verdict])
        return f"the {name} {verbs[verdict][0]}"
    first, *others = [f"{verdicts[verdict]} {verbs[verdict][verdicts[verdict] != 1]}" for verdict in verbs if verdicts[verdict]]
    count, verb = first.split(" ", 1)
    return listed([f"{count} of {total} {name.replace('claim', 'claims', 1)} {verb}", *others])


def sentence(verdicts):
    """Returns the sentence; `verdicts` as in `spca reproduce --json`."""
    clauses = [number_clause(count, verdicts[count]) for count in NOUNS]
    kinds = [name for name in CLAIMS if any(verdicts[name].values())]
    if len(kinds) == 2 and all(set(k for k, n in verdicts[kind].items() if n) == {"holds"} for kind in kinds):
        clauses.append("every claim holds")
    else:
        clauses += [claim_clause(CLAIMS[kind], verdicts[kind]) for kind in kinds]
    joined = "; ".join(filter(None, clauses))
    return joined[:1].upper() + joined[1:] + "." if joined else ""
