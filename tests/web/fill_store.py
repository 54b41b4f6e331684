#!/usr/bin/python3
"""fill_store.py PROGRAMS FOLDER BATCHES

Makes FOLDER/patra.db with so many batches, and FOLDER/sources with the definition that they are of. What `patra demo` harvests is
copied, with other ids, times and windows, so that each row holds what real ones hold; a million takes a minute. In each of
the five endpoints some slices have failed, some are partial, and the last ones wait.
"""
import pathlib
import sqlite3
import subprocess
import sys
import time

MICROS = 1_000_000
HOUR = 3_600 * MICROS
DAYS_OF_WORK = 30
SOURCE = "filled"
# How many of ten copies each endpoint has.
ENDPOINTS = {"works": 3, "journals": 3, "authors": 2, "grants": 1, "notes": 1}
FAILED_EVERY, PARTIAL_EVERY, WAITING = 997, 499, 20

DEFINITION = """source: filled
name: A store of many batches
http: {base_url: "https://filled.example.org"}
limits: [{rate: 5/s}]
window: {by: updated, start: 2015-01-01, safety_lag: 1h, width: 1h}
response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
paging: {style: page, first_page: 1, size: 100}
endpoints:
"""
ENDPOINT = """  {0}:
    request: {{path: /{0}, query: {{from: "${{window.from}}", to: "${{window.to}}", page: "${{page.number}}"}}}}
    fields: {{title: $.title}}
"""


class Filler:
    def __init__(self, database, batches):
        self.db = sqlite3.connect(database, isolation_level=None)
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-400000", "temp_store=MEMORY"):
            self.db.execute(f"PRAGMA {pragma}")
        self.plan = self.one("SELECT plan_id FROM ing_plan_slice GROUP BY plan_id ORDER BY count(*) DESC LIMIT 1")
        # What the plan's first slice was cut into: each with one task, one run and its batches.
        self.number("slices", f"SELECT id FROM ing_plan_slice WHERE plan_id = {self.plan} AND status_code = 'SUCCEEDED'")
        self.number("tasks", "SELECT id FROM ing_task WHERE slice_id IN (SELECT old FROM slices)")
        self.number("runs", "SELECT id FROM ing_task_run WHERE slice_id IN (SELECT old FROM slices)")
        self.number("batches", "SELECT id FROM ing_task_run_batch WHERE slice_id IN (SELECT old FROM slices)")
        self.of = {name: self.one(f"SELECT count(*) FROM {name}") for name in ("slices", "tasks", "runs", "batches")}
        self.copies = max(10, -(-batches // self.of["batches"]))
        self.now = int(time.time()) * MICROS
        self.begin = self.now - DAYS_OF_WORK * 24 * HOUR
        self.between = (self.now - self.begin) // self.copies
        self.make_copies()

    def one(self, sql):
        return self.db.execute(sql).fetchone()[0]

    def number(self, name, ids):
        self.db.execute(f"CREATE TEMP TABLE {name} (old INTEGER PRIMARY KEY, n INTEGER)")
        self.db.execute(f"INSERT INTO {name} SELECT id, row_number() OVER (ORDER BY id) - 1 FROM ({ids})")

    def make_copies(self):
        """Which copy is of which endpoint, and where the windows of its slices begin among those of the endpoint."""
        self.db.execute("CREATE TEMP TABLE copies (k INTEGER PRIMARY KEY, endpoint TEXT, first INTEGER, is_last INTEGER)")
        self.slices_of = {}
        rows, shares, begun = [], list(ENDPOINTS.items()), 0
        for i, (endpoint, share) in enumerate(shares):
            end = self.copies if i + 1 == len(shares) else begun + self.copies * share // 10
            rows += [(k, endpoint, (k - begun) * self.of["slices"], k + 1 == end) for k in range(begun, end)]
            self.slices_of[endpoint] = (end - begun) * self.of["slices"]
            begun = end
        self.db.executemany("INSERT INTO copies VALUES (?, ?, ?, ?)", rows)
        # The longest one covers ten years.
        self.width = 10 * 365 * 24 * HOUR // max(self.slices_of.values())

    def copy(self, table, source, changes):
        """`source` names the rows, which come in the order of their copies; `changes` are expressions by column."""
        known = [(row[1], row[6]) for row in self.db.execute(f"PRAGMA table_xinfo({table})")]
        columns = [name for name, hidden in known if hidden == 0]
        of = ", ".join(changes.get(column, f"t.{column}") for column in columns)
        self.db.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {of} FROM copies CROSS JOIN {source}")

    def fill(self):
        of, begin, between = self.of, self.begin, self.between
        self.db.execute("BEGIN")
        # Below those that the demo has made, so that the newest are the newest.
        ids = {name: f"({base} + copies.k * {of[name]} + {{}})" for name, base in
               (("slices", 10**14), ("tasks", 2 * 10**14), ("runs", 3 * 10**14), ("batches", 4 * 10**14))}
        made = f"({begin} + copies.k * {between})"
        plan = f"({5 * 10**14} + copies.k)"
        common = {"provenance_code": f"'{SOURCE}'", "endpoint_name": "copies.endpoint", "plan_id": plan,
                  "created_at": made, "updated_at": f"{made} + 60000000"}
        place = "(copies.first + slices.n)"
        is_waiting = f"(copies.is_last AND slices.n >= {of['slices'] - WAITING})"
        status = (f"CASE WHEN {is_waiting} THEN '{{}}' WHEN {place} % {FAILED_EVERY} = 0 THEN 'FAILED' "
                  f"WHEN {place} % {PARTIAL_EVERY} = 0 THEN 'PARTIAL' ELSE 'SUCCEEDED' END")
        start = self.now - 10 * 365 * 24 * HOUR
        window = {"window_from": f"{start} + {place} * {self.width}", "window_to": f"{start} + ({place} + 1) * {self.width}"}
        self.copy("ing_plan", f"ing_plan AS t WHERE t.id = {self.plan}", {
            **common, "id": plan, "plan_key": "printf('filled-%09d', copies.k)", "status_code": "'COMPLETED'",
            "namespace_key": "copies.endpoint", "window_from": f"{start} + copies.first * {self.width}",
            "window_to": f"{start} + (copies.first + {of['slices']}) * {self.width}",
            "sliced_to": f"{start} + (copies.first + {of['slices']}) * {self.width}"})
        self.copy("ing_plan_slice", "slices JOIN ing_plan_slice AS t ON t.id = slices.old", {
            **common, **window, "id": ids["slices"].format("slices.n"), "parent_slice_id": "NULL",
            "slice_no": "slices.n + 1", "status_code": status.format("READY"), "closed_at": f"{made} + 60000000",
            "gap": f"CASE WHEN {is_waiting} THEN NULL WHEN {place} % {FAILED_EVERY} = 0 THEN 'the provider answers with 503' "
                   f"WHEN {place} % {PARTIAL_EVERY} = 0 THEN '3 records are missing' END"})
        joined = "JOIN {0} AS t ON t.id = {1}.old JOIN slices ON slices.old = t.slice_id"
        self.copy("ing_task", "tasks " + joined.format("ing_task", "tasks"), {
            **common, "id": ids["tasks"].format("tasks.n"), "slice_id": ids["slices"].format("slices.n"),
            "idempotent_key": "printf('filled-%09d-%04d', copies.k, tasks.n)", "status_code": status.format("QUEUED"),
            "ready": "1", "scheduled_at": made, "started_at": made, "finished_at": f"{made} + 60000000"})
        self.copy("ing_task_run", "runs " + joined.format("ing_task_run", "runs")
                  + " JOIN tasks ON tasks.old = t.task_id", {
            **common, **window, "id": ids["runs"].format("runs.n"), "task_id": ids["tasks"].format("tasks.n"),
            "slice_id": ids["slices"].format("slices.n"), "status_code": status.format("SUCCEEDED"),
            "started_at": f"{made} + runs.n * 100000", "finished_at": f"{made} + runs.n * 100000 + 900000"})
        self.copy("ing_task_run_batch", "batches " + joined.format("ing_task_run_batch", "batches")
                  + " JOIN tasks ON tasks.old = t.task_id JOIN runs ON runs.old = t.run_id", {
            **common, "id": ids["batches"].format("batches.n"), "run_id": ids["runs"].format("runs.n"),
            "task_id": ids["tasks"].format("tasks.n"), "slice_id": ids["slices"].format("slices.n"),
            "idempotent_key": "printf('filled-%09d-%04d', copies.k, batches.n)",
            "status_code": f"CASE WHEN {place} % {FAILED_EVERY} = 0 THEN 'FAILED' ELSE t.status_code END",
            "error": f"CASE WHEN {place} % {FAILED_EVERY} = 0 THEN 'the provider answers with 503' ELSE t.error END",
            "error_level": f"CASE WHEN {place} % {FAILED_EVERY} = 0 THEN 'L1' ELSE t.error_level END",
            "created_at": f"{made} + runs.n * 100000", "committed_at": f"{made} + runs.n * 100000 + 800000"})
        self.fill_coverage(start)
        self.fill_cursors()
        self.fill_minutes()
        self.fill_items()
        self.db.execute("COMMIT")
        self.db.execute("PRAGMA optimize")
        return self.one("SELECT count(*) FROM ing_task_run_batch"), self.one("SELECT count(*) FROM ing_plan_slice")

    def fill_coverage(self, start):
        query = self.one(f"SELECT query_hash FROM ing_plan WHERE id = {self.plan}")
        rows, number = [], 10**13
        for endpoint, slices in self.slices_of.items():
            end = slices - WAITING
            holes = sorted({n for n in range(end) if n % FAILED_EVERY == 0 or n % PARTIAL_EVERY == 0} | {end})
            begun = 0
            for hole in holes:
                if hole > begun:
                    number += 1
                    rows.append((number, SOURCE, endpoint, query, start + begun * self.width, start + hole * self.width, self.now))
                begun = hole + 1
        self.db.executemany("INSERT INTO ing_coverage (id, provenance_code, endpoint_name, query_hash, covered_from, covered_to, "
                            "updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def fill_cursors(self):
        self.db.execute("CREATE TEMP TABLE names AS SELECT endpoint, row_number() OVER () AS n FROM copies GROUP BY endpoint")
        common = {"provenance_code": f"'{SOURCE}'", "endpoint_name": "names.endpoint", "namespace_key": "names.endpoint"}
        each = "names CROSS JOIN {} AS t WHERE copies.k = 0"
        self.copy("ing_cursor", each.format("ing_cursor"), {**common, "id": f"{10**13} + names.n",
                                                            "normalized_instant": str(self.now - 2 * HOUR)})
        self.copy("ing_cursor_event", each.format("ing_cursor_event"), {
            **common, "id": f"{10**13} + row_number() OVER ()",
            "idempotent_key": "printf('filled-%d-%s', names.n, t.idempotent_key)"})

    def fill_minutes(self):
        minutes = f"""WITH RECURSIVE m (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < {DAYS_OF_WORK * 1440 - 1})"""
        first = self.begin - self.begin % (60 * MICROS) + 60 * MICROS
        self.db.execute(f"""{minutes}
            INSERT INTO ing_batch_rollup (minute, provenance_code, endpoint_name, operation_code, status_code, batches, records,
                inserted, bytes, latency_ms, requests, retries, throttled)
            SELECT {first} + m.i * {60 * MICROS}, '{SOURCE}', endpoint, 'HARVEST', status.code,
                status.part * (3 + m.i % 5), status.part * 900, status.part * 700, status.part * 400000, status.part * 600,
                4 + m.i % 5, m.i % 2, m.i % 3 = 0
            FROM m, names, (SELECT 'SUCCEEDED' AS code, 1 AS part UNION ALL SELECT 'FAILED', m.i % 40 = 0 FROM m WHERE i < 1) AS status""")
        self.db.execute(f"""{minutes}
            INSERT INTO ing_gate_minute (minute, gate_key, provenance_code, endpoint_name, requests, throttled, cuts, share_ppm_sum,
                limit_per_day)
            SELECT {first} + m.i * {60 * MICROS}, '{SOURCE}', '{SOURCE}', endpoint, 30 + m.i % 20, m.i % 90 = 0, m.i % 90 = 0,
                (30 + m.i % 20) * CASE WHEN m.i % 90 < 10 THEN 700000 ELSE 1000000 END, 5 * 86400
            FROM m, names""")

    def fill_items(self):
        self.db.execute(f"INSERT INTO ing_record_set (id, provenance_code, endpoint_name) "
                        f"SELECT 1000 + n, '{SOURCE}', endpoint FROM names")
        self.copy("ing_item", "names CROSS JOIN ing_item AS t WHERE copies.k = 0", {
            "id": f"{10**13} + row_number() OVER ()", "record_set_id": "1000 + names.n",
            "updated_at": f"{self.now} - t.rowid % 100000 * {MICROS}"})


def main():
    programs, folder, batches = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    (folder / "sources").mkdir(parents=True, exist_ok=True)
    (folder / "sources" / "filled.yaml").write_text(DEFINITION + "".join(ENDPOINT.format(name) for name in ENDPOINTS))
    database = folder / "patra.db"
    subprocess.run([programs / "patra", "demo", "--db", database], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begun = time.monotonic()
    batches, slices = Filler(database, batches).fill()
    print(f"{batches:,} batches and {slices:,} slices made in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
