"""The cells that all tables share. Losses look like wins: the ratio is the rival's time over
lass0's, whichever is larger."""


def seconds(measurement):
    if measurement.failure:
        return measurement.failure.replace("|", "/")
    digits = f"{measurement.seconds:.3g} s"
    return digits if measurement.runs > 1 else f"{digits} (1 run)"


def ratio(measurement, reference):
    if measurement.failure or reference is None or reference.failure or not reference.seconds:
        return "-"
    return f"{measurement.seconds / reference.seconds:.2f}"


def memory(measurement):
    return "-" if measurement.memory is None else f"{measurement.memory:.0f}"


def number(value, form=".3g"):
    return "-" if value is None else format(value, form)


def reference(measurements):
    """The measurement of lass0 that the ratios are to: the first, which is the one that is precise
    enough."""
    return next((m for m in measurements if m.rival == "lass0" and not m.failure), None)


def verdict(measurements, good=lambda m: m.precise):
    """One sentence: the fastest answer of lass0 that is good against the fastest of a rival."""
    mine = [m for m in measurements if m.rival == "lass0" and not m.failure and good(m)]
    others = [m for m in measurements if m.rival != "lass0" and not m.failure and good(m)]
    if not mine:
        why = next(
            (m.failure for m in measurements if m.rival == "lass0" and m.failure),
            "not as precise as was asked for",
        )
        return f"lass0 has no answer ({why})"
    own = min(mine, key=lambda m: m.seconds)
    if not others:
        return f"no rival has an answer (lass0 {own.seconds:.3g} s)"
    best = min(others, key=lambda m: m.seconds)
    factor = best.seconds / own.seconds
    how = (
        f"lass0 is {factor:.2f} times as fast as"
        if factor >= 1
        else f"lass0 is SLOWER, {1 / factor:.2f} times the time of"
    )
    return f"{how} the fastest rival, {best.rival} ({own.seconds:.3g} s, {best.seconds:.3g} s)"


def table(title, header, rows, summary="", notes=()):
    return {
        "title": title,
        "header": header,
        "rows": rows,
        "summary": summary,
        "notes": list(notes),
    }
