"""Goes through the workloads: makes the data, runs the comparisons one after another, and keeps the
results as JSON."""

import importlib
import json
import shutil
import sys
import time
from dataclasses import asdict

from . import environment, rivals, workloads
from .dataset import Dataset
from .measure import measure


class Bench:
    def __init__(self, rules, only=None):
        self.rules = rules
        self.rivals = [rival for rival in rivals.load_all() if not only or rival.name in only]
        self.kept = {}

    def measure_all(self, task, dataset, judge, settings=None, only=None):
        """Every rival that knows the task, one after another."""
        found = []
        for rival in self.rivals:
            if task not in rival.settings or (only and rival.name not in only):
                continue
            say(f"  {task}: {rival.name}")
            for measurement in measure(rival, task, dataset, judge, self.rules, settings):
                seconds = "" if measurement.seconds is None else f"{measurement.seconds:.4g} s"
                say(f"    setting {measurement.setting}: {measurement.failure or seconds}")
                found.append(measurement)
        self.kept[task, dataset.folder.name] = found
        return found

    def answers(self, task, dataset):
        """One measurement of each rival that answered this task before, the most precise."""
        found = {}
        for measurement in self.kept.get((task, dataset.folder.name), []):
            if not measurement.failure:
                found.setdefault(measurement.rival, measurement)
        return list(found.values())


def run(names, rules, quick, only, results):
    """Writes NAME.json into the folder `results` for each workload."""
    results.mkdir(parents=True, exist_ok=True)
    for name in names:
        workload = importlib.import_module(f"{workloads.__name__}.{name}")
        say(f"{workload.TITLE}{' (scaled down)' if quick else ''}")
        bench = Bench(rules, only)
        result = {
            "name": name,
            "title": workload.TITLE,
            "about": workload.ABOUT,
            "commit": environment.commit(),
            "date": time.strftime("%Y-%m-%d %H:%M"),
            "machine": environment.machine(),
            "rules": asdict(rules),
            "versions": versions(bench.rivals),
            "missing": "",
            "tables": [],
            "quick": quick,
        }
        try:
            result["tables"] = tables_of(workload, bench, quick)
        except FileNotFoundError as error:
            result["missing"] = str(error)
            say(f"  skipped: {error}")
        file = results / f"{name}.json"
        if result["missing"] and file.exists():
            say("  the results of before are kept")
            continue
        file.write_text(json.dumps(result, indent=1))


def tables_of(workload, bench, quick):
    found = []
    for name, write in workload.datasets(quick).items():
        folder = environment.BENCH / "data" / ("quick" if quick else "full") / name
        if not (folder / "meta.json").exists():
            write(folder)
        dataset = Dataset(folder)
        say(f"  {name}: {dataset.n} x {dataset.p}")
        for comparison in workload.COMPARISONS:
            found += importlib.import_module(f"peers.comparisons.{comparison}").compare(
                dataset, bench
            )
        if len(workload.datasets(quick)) > 5:
            shutil.rmtree(folder)  # many data sets, each used once
    points = [entry for entry in found if "axis" in entry]
    if points:
        from .comparisons import growth

        found = growth.summarise(points)
    return found


def versions(all_rivals):
    found = {}
    for rival in all_rivals:
        task = next(iter(rival.settings))
        reason = rival.missing(task, None)
        found[rival.name] = {
            "version": reason and f"missing: {reason}" or rival.version(),
            "note": rival.note,
        }
    return found


def say(text):
    print(text, file=sys.stderr, flush=True)
