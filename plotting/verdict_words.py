"""Says the result of a run in one sentence, made from its verdicts. Counts are separate, because a match means something
different in each (docs/EXPERIMENTS.md)."""

# The noun of each count, singular and plural.
NOUNS = {
    "own": ("number printed for the paper's own method", "numbers printed for the paper's own method"),
    "baseline": ("number printed for a baseline", "numbers printed for baselines"),
    "other": ("printed number that another solver is held to", "printed numbers that other solvers are held to"),
    "by_hand": ("number known by hand", "numbers known by hand"),
    "certified": ("comparison with a certified optimum", "comparisons with certified optima"),
}
CLAIMS = {"claims": "claim of the paper", "our_claims": "claim of ours"}


def listed(parts):
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def be(count, words):
    return f"{count} {'is' if count == 1 else 'are'} {words}"


def number_clause(count, verdicts):
    """ "38 of 41 numbers printed for baselines match, 2 are better and 1 is worse"; nothing of a count that is empty."""
    total = sum(verdicts.values())
    if total == 0:
        return ""
    one, several = NOUNS[count]
    matching = verdicts["match"]
    if matching == total:
        return f"the {one} matches" if total == 1 else f"all {total} {several} match"
    if verdicts["not run"] == total:
        return f"the {one} was not run" if total == 1 else f"none of {total} {several} was run"
    others = [be(verdicts[name], name) for name in ("better", "worse", "not comparable") if verdicts[name]]
    if verdicts["not run"]:
        others.append(f"{verdicts['not run']} {'was' if verdicts['not run'] == 1 else 'were'} not run")
    verb = "match" if matching > 1 else "matches"
    return listed([f"{matching or 'none'} of {total} {several} {verb}", *others]) if total > 1 else f"the {one} {others[0].split(' ', 1)[1]}"


def claim_clause(name, verdicts):
    total = sum(verdicts.values())
    if total == 0:
        return ""
    if verdicts["holds"] == total:
        return f"the {name} holds" if total == 1 else f"every {name} holds"
    verbs = {"holds": ("holds", "hold"), "fails": ("fails", "fail"), "undecided": ("is undecided", "are undecided"), "not run": ("was not run", "were not run")}
    if total == 1:
        verdict = next(verdict for verdict in verbs if verdicts[verdict])
        return f"the {name} {verbs[verdict][0]}"
    first, *others = [f"{verdicts[verdict]} {verbs[verdict][verdicts[verdict] != 1]}" for verdict in verbs if verdicts[verdict]]
    count, verb = first.split(" ", 1)
    return listed([f"{count} of {total} {name.replace('claim', 'claims', 1)} {verb}", *others])


def sentence(verdicts):
    """`verdicts` as `spca reproduce --json` has them."""
    clauses = [number_clause(count, verdicts[count]) for count in NOUNS]
    kinds = [name for name in CLAIMS if any(verdicts[name].values())]
    if len(kinds) == 2 and all(set(k for k, n in verdicts[kind].items() if n) == {"holds"} for kind in kinds):
        clauses.append("every claim holds")
    else:
        clauses += [claim_clause(CLAIMS[kind], verdicts[kind]) for kind in kinds]
    joined = "; ".join(filter(None, clauses))
    return joined[:1].upper() + joined[1:] + "." if joined else ""
