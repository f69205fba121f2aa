"""Figures: what was measured, what is promised, and how two runs compare."""

import dataclasses
import json
import statistics


@dataclasses.dataclass
class Figure:
    """One measured figure; `samples` holds every round, `value` their median."""

    name: str
    unit: str
    samples: list
    at_most: float | None = None
    at_least: float | None = None
    detail: str = ""

    @property
    def value(self):
        return statistics.median(self.samples)

    @property
    def is_reached(self):
        """False also for NaN."""
        below = self.at_most is None or self.value <= self.at_most
        above = self.at_least is None or self.value >= self.at_least
        return below and above

    def line(self):
        text = f"{self.name:<58}{shown(self.value):>9} {self.unit:<5}"
        if len(self.samples) > 1:
            text += f" ({shown(min(self.samples))} to {shown(max(self.samples))})"
        if self.at_most is not None:
            text += f"  at most {shown(self.at_most)}"
        if self.at_least is not None:
            text += f"  at least {shown(self.at_least)}"
        if self.at_most is not None or self.at_least is not None:
            text += ": reached" if self.is_reached else ": NOT REACHED"
        if self.detail:
            text += f"\n    {self.detail}"
        return text


def shown(number):
    """Three digits that count, without exponents."""
    if number == 0 or abs(number) >= 100:
        return f"{number:.0f}"
    return f"{number:.2f}" if abs(number) >= 1 else f"{number:.3g}"


def write(path, machine, figures):
    document = {
        "machine": machine,
        "figures": [dataclasses.asdict(figure) | {"value": figure.value} for figure in figures],
    }
    path.write_text(json.dumps(document, indent=1) + "\n")


def compare(old_path, new_path):
    """Lines that say how each figure of two runs changed."""
    old = {entry["name"]: entry for entry in json.loads(old_path.read_text())["figures"]}
    new = {entry["name"]: entry for entry in json.loads(new_path.read_text())["figures"]}
    yield f"{'':<58}{'old':>9} {'new':>9}   new / old"
    for name in old | new:
        if name not in old or name not in new:
            yield f"{name:<58}only in the {'new' if name in new else 'old'} run"
            continue
        before, after = old[name]["value"], new[name]["value"]
        ratio = f"{after / before:.2f}" if before else "-"
        yield f"{name:<58}{shown(before):>9} {shown(after):>9}   {ratio} ({new[name]['unit']})"
