#!/usr/bin/env python3
"""Grafana's dashboard names only metrics that patra has, by their kind, and all that people look for are on it."""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

SOURCES = ["src/app/metrics/meter_rows.h", "src/app/metrics/gauges.cc"]
ROWS = ["Freshness", "Throughput", "Errors by level", "429s and waits", "Queue", "API", "Healing", "Gaps"]


def metrics():
    """Every metric with its kind, as the code declares it."""
    known = {}
    for source in SOURCES:
        text = (ROOT / source).read_text(encoding="utf-8")
        for match in re.finditer(r'\.name\s*=\s*"(patra_\w+)"(.*?)\}', text, flags=re.S):
            kind = re.search(r"MeterKind::k(\w+)|\bkGauge\b", match.group(2))
            known[match.group(1)] = "counter" if not kind else (kind.group(1) or "Gauge").lower()
    return known


def expressions(dashboard):
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]


def problems(dashboard, known):
    used = set()
    for where, expression in expressions(dashboard):
        for name in re.findall(r"patra_\w+", expression):
            base = re.sub(r"_bucket$", "", name) if known.get(re.sub(r"_bucket$", "", name)) == "histogram" else name
            if base not in known:
                yield f"{where}: patra has no {name}"
                continue
            used.add(base)
            is_rate = re.search(r"\b(rate|increase)\(" + name + r"\b", expression) is not None
            is_of_values = known[base] == "gauge" or expression.startswith("label_values(")
            if is_rate == is_of_values:
                yield f"{where}: {name} is a {known[base]}"
        if expression.count("(") != expression.count(")") or expression.count("{") != expression.count("}"):
            yield f"{where}: {expression} does not close what it opens"
    for name in sorted(set(known) - used - {"patra_build_info"}):
        yield f"nobody sees {name}"
    titles = [panel["title"] for panel in dashboard["panels"] if panel["type"] == "row"]
    if titles != ROWS:
        yield f"the rows are {titles}"
    identities = [panel["id"] for panel in dashboard["panels"]]
    if len(identities) != len(set(identities)):
        yield "two panels have one id"
    if not any(v["type"] == "datasource" and v["name"] == "datasource" for v in dashboard["templating"]["list"]):
        yield "nobody can choose where the metrics are"
    for panel in dashboard["panels"]:
        if panel["type"] != "row" and panel["datasource"]["uid"] != "${datasource}":
            yield f"{panel['title']} is bound to one Prometheus"


def main():
    known = metrics()
    assert len(known) > 40, f"only {len(known)} metrics were found in {SOURCES}"
    assert known["patra_ingest_batch_latency_ms"] == "histogram" and known["patra_alerts_firing"] == "gauge"
    dashboard = json.loads((ROOT / "packaging/grafana/patra.json").read_text(encoding="utf-8"))
    found = list(problems(dashboard, known))
    # A test that cannot fail says nothing.
    broken = json.loads(json.dumps(dashboard))
    broken["panels"][1]["targets"][0]["expr"] = "rate(patra_ingest_no_such_thing[5m])"
    assert any("no_such_thing" in problem for problem in problems(broken, known))
    for problem in found:
        print(problem)
    raise SystemExit(1 if found else 0)


main()
