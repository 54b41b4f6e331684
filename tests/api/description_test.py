#!/usr/bin/python3
"""description_test.py PROGRAM

Asks a running server for everything that its description (OpenAPI) names, and compares every answer with it: what succeeds,
what is wrong, and what chance makes of it.
"""
import json
import pathlib
import re
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
try:
    import hypothesis
    import jsonschema
    from hypothesis import strategies as st
except ImportError:
    print("SKIPPED: python3-jsonschema and python3-hypothesis are not installed", file=sys.stderr)
    sys.exit(77)

import world as worlds

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")

# What each call that changes something is asked for, in this order; `None`: the description alone makes the request. $plan and
# the like stand for ids that exist.
CHANGES = [
    ("planHarvest", {"source": "well", "from": "-65d", "to": "-50d", "dryRun": True}, 200),
    ("planHarvest", {"source": "well", "from": "-65d", "to": "-50d"}, 201),
    ("planBackfill", {"source": "well", "from": "-95d", "to": "-80d"}, 201),
    ("planUpdate", {"source": "well", "ids": ["1", "2"]}, None),
    ("repair", {"source": "broken"}, 200),
    ("cancelTask", {}, 200),
    ("cancelSlice", {}, 200),
    ("cancelPlan", {}, 200),
    ("requeueTask", {}, 200),
    ("setCursor", {"cursor": "well/items", "value": "now-30d"}, 200),
    ("previewSource", {"source": "well", "from": "-20d", "to": "-10d", "records": 2}, 200),
    ("replayBatch", {"run": "$run", "batch": "$batch"}, 200),
    ("replayBatch", {"run": "$run", "batch": "$batch", "fromRaw": True}, 200),
    ("applyRegistry", {}, 200),
    ("promoteRelease", {}, 400),
    ("dropRelease", {}, 400),
    ("approveQuarantined", {"ids": ["$quarantined"]}, 200),
    ("retryQuarantined", {"ids": ["$quarantined"]}, 200),
    ("rejectQuarantined", {"all": True, "source": "broken", "rule": "required", "limit": 3}, 200),
    ("releaseId", {"target": "well/items", "itemId": "1"}, None),
    ("pauseSource", {"target": "well", "until": "+1h"}, 200),
    ("resumeSource", {"target": "well"}, 200),
    ("resetFuse", {"target": "well"}, None),
    ("addSignal", {"target": "well/items", "itemId": "7", "note": "doubt"}, 200),
    ("takeBackAdjustment", {"target": "well/items", "kind": "PAGE_SIZE"}, 200),
    ("healOnce", {}, 200),
    ("silenceAlerts", {"pattern": "heal/*", "for": "1h"}, 200),
    ("resolveAlert", {"key": "no/such"}, 404),
    ("resetGateKey", {"key": "no-such"}, None),
    ("putJob", {"source": "well", "cron": "30 2 * * *", "timezone": "Europe/Berlin"}, 200),
    ("putJob", {"cron": "every now and then"}, 400),
    ("disableJob", {}, 200),
    ("enableJob", {}, 200),
    ("triggerJob", {}, 200),
    ("removeJob", {}, 200),
]


class Description:
    def __init__(self, document):
        self.document = document
        self.operations = {}
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                self.operations[operation["operationId"]] = (method.upper(), path, operation)

    def check(self, answer, operation, status=None):
        """That the answer is one of those that the description allows."""
        if answer.status == 400 and answer.body.startswith(b"<html><head><title>Request malformed"):
            return  # a line that is no HTTP: the library answers by itself, before anybody could describe it
        responses = operation["responses"]
        response = responses.get(str(answer.status), responses["default"])
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        if "content" not in response:
            if answer.body:
                raise AssertionError(f"{answer.status} came with a body: {answer.body[:500]}")
            return
        content = response["content"]
        if answer.media not in content:
            raise AssertionError(f"{answer.status} came as {answer.media}: {answer.body[:500]}")
        if answer.media.endswith("json"):
            value = answer.json()
            schema = {"allOf": [content[answer.media]["schema"]], "components": self.document["components"]}
            jsonschema.Draft202012Validator(schema, format_checker=self.formats()).validate(value)
        if status is not None and answer.status != status:
            raise AssertionError(f"{answer.status} instead of {status}: {answer.body[:500]}")

    @staticmethod
    def formats():
        checker = jsonschema.FormatChecker(())

        @checker.checks("date-time")
        def is_moment(text):
            return not isinstance(text, str) or MOMENT.fullmatch(text) is not None

        return checker


class Api(unittest.TestCase):
    world = None
    description = None
    ids = {}

    @classmethod
    def ask_for(cls, name, query=None, body=None, role="admin", **path):
        method, template, operation = cls.description.operations[name]
        target = re.sub(r"\{(\w+)\}", lambda hole: urllib.parse.quote(str(path[hole[1]]), safe=""), template)
        if query:
            target += "?" + urllib.parse.urlencode(query)
        headers = {"X-Patra-Reason": "of the test"} if method == "POST" else {}
        answer = cls.world.ask(method, target, body=body, role=role, headers=headers)
        try:
            cls.description.check(answer, operation)
        except jsonschema.ValidationError as error:
            raise AssertionError(f"{method} {target}: {error.message} at {list(error.absolute_path)}") from None
        return answer

    def test_1_lists_of_all_kinds_come_in_pages_that_add_up(self):
        for name in ["listPlans", "listSlices", "listTasks", "listRuns", "listBatches", "listCursors", "listItems",
                     "listQuarantine"]:
            with self.subTest(name):
                whole = self.ask_for(name, {"limit": 1000}).json()
                self.assertIsNone(whole["next"])
                self.assertGreater(len(whole["items"]), 0)
                paged, query = [], {"limit": max(1, len(whole["items"]) // 3)}
                for _ in range(10):
                    page = self.ask_for(name, query).json()
                    paged += page["items"]
                    if page["next"] is None:
                        break
                    query["after"] = page["next"]
                self.assertEqual([row["id"] for row in whole["items"]], [row["id"] for row in paged])

    def test_2_what_is_listed_can_be_shown(self):
        for kind in ["Plan", "Slice", "Task", "Run", "Cursor", "Batch"]:
            plural = kind + ("es" if kind == "Batch" else "s")
            for row in self.ask_for("list" + plural, {"limit": 3}).json()["items"]:
                shown = self.ask_for("show" + kind, id=row["id"])
                self.assertEqual(200, shown.status)
                self.assertEqual(row["id"], shown.json()["id"])
                self.assertGreater(len(self.ask_for("timelineOf" + kind, id=row["id"]).json()["items"]), 0)
            self.assertEqual(404, self.ask_for("show" + kind, id="4611686018427387904").status)
            self.assertEqual(404, self.ask_for("timelineOf" + kind, id="1").status)
            if kind == "Cursor":
                self.assertEqual([], self.ask_for("timelineOfCursor", {"to": "-90d"}, id=row["id"]).json()["items"])
                self.assertEqual(400, self.ask_for("timelineOfCursor", {"from": "now", "to": "now"}, id=row["id"]).status)
                self.assertGreater(len(self.ask_for("listCursorSteps", {"from": "-30d"}, id=row["id"]).json()["items"]), 0)
        plan = self.ask_for("listPlans", {"source": "well"}).json()["items"][-1]
        lineage = self.ask_for("showPlanLineage", {"limit": 1, "batches": 1}, id=plan["id"]).json()
        self.assertIsNotNone(lineage["next"])
        self.assertEqual(plan["id"], lineage["items"][0]["runs"][0]["batches"][0]["plan"])
        self.assertGreater(len(self.ask_for("showPlanOrigins", id=plan["id"]).json()["items"]), 0)
        self.assertEqual(200, self.ask_for("showTrigger", id=plan["trigger"]).status)
        quarantined = self.ask_for("listQuarantine", {"source": "broken"}).json()["items"][0]
        self.assertIn("title", self.ask_for("showQuarantined", id=quarantined["id"]).json()["body"])
        self.assertEqual(404, self.ask_for("showQuarantined", id="1").status)

    def test_3_records_say_why_they_are_as_they_are(self):
        item = self.ask_for("listItems", {"source": "well", "limit": 1}).json()["items"][0]
        path = {"source": item["source"], "endpoint": item["endpoint"], "itemId": item["id"]}
        self.assertEqual(item, self.ask_for("showItem", **path).json())
        self.assertEqual(item["batch"], self.ask_for("showItemWhy", **path).json()["batch"]["id"])
        self.assertEqual(404, self.ask_for("showItem", **{**path, "itemId": "10.1000/1 ä%2F"}).status)
        newest = self.ask_for("listNewestItems", {"limit": 5}).json()["items"]
        self.assertEqual(newest, sorted(newest, key=lambda row: row["updatedAt"], reverse=True))

    def test_4_everything_else_that_can_be_looked_at(self):
        needed = {"verify": {"query": {"source": "well"}}, "verifyDays": {"query": {"source": "well"}}, "showSource": {"source": "well"},
                  "showDefinition": {"source": "well"}, "findRegistered": {"source": "well"}}
        for name, (method, path, _) in self.description.operations.items():
            if method != "GET" or re.search(r"\{(id|itemId|job)\}", path) or name in ("listenToEvents", "followChanges"):
                continue
            with self.subTest(name):
                self.assertEqual(200, self.ask_for(name, **needed.get(name, {})).status)
        self.assertEqual(400, self.ask_for("showSource", source="no-such").status)
        top = self.ask_for("showTopErrors", {"source": "missing"}).json()["items"]
        self.assertIn("404", top[0]["error"])
        self.assertEqual(200, self.ask_for("showBatch", id=top[0]["newestBatch"]).status)
        queue = self.ask_for("showQueue", {"source": "well"}).json()["items"]
        self.assertGreater(queue[0]["batchesSucceeded"], 0)
        self.assertEqual(400, self.ask_for("verify", {"source": "no-such"}).status)
        self.assertEqual(400, self.ask_for("listPlans", {"source": "no-such"}).status)

    def test_4_a_certificate_is_told_day_by_day_and_page_by_page(self):
        certificate = self.ask_for("verify", {"source": "well", "days": 36600, "gaps": 1, "proofs": 1}).json()["items"][0]
        self.assertEqual(1, sum(len(proven["by"]) for proven in certificate["proven"]))
        self.assertLessEqual(len(certificate["gaps"]), 1)
        self.assertIsNone(self.ask_for("verify", {"source": "well"}).json()["items"][0]["days"])
        states, slices, query = [], [], {"source": "well", "limit": 700}
        while True:
            page = self.ask_for("verifyDays", query).json()
            states += page["items"][0]["states"]
            slices += page["items"][0]["slices"]
            if page["next"] is None:
                break
            query["after"] = page["next"]
        self.assertGreater(len(states), 30)
        self.assertIn("PROVEN", states)
        self.assertEqual((certificate["days"]["states"], certificate["days"]["slices"]), (states, slices))

    def test_4_who_has_a_definition_is_told_that_it_is_still_that(self):
        path = "/api/v1/registry/sources/well"
        mark = self.world.ask("GET", path, role="viewer").headers["etag"]
        answer = self.world.ask("GET", path, role="viewer", headers={"If-None-Match": mark})
        self.assertEqual(304, answer.status)
        self.description.check(answer, self.description.operations["findRegistered"][2])

    def test_5_every_change_does_what_it_says(self):
        run = self.ask_for("listRuns", {"source": "well"}).json()["items"][-1]
        batch = self.ask_for("listBatches", {"run": run["id"]}).json()["items"][-1]
        done = set()
        for name, body, status in CHANGES:
            with self.subTest(name):
                quarantined = self.ask_for("listQuarantine", {"source": "broken", "limit": 1}).json()["items"][0]
                known = {"$run": run["id"], "$batch": batch["id"], "$quarantined": quarantined["id"]}
                body = {key: [known.get(entry, entry) for entry in value] if isinstance(value, list) else
                        known.get(value, value) if isinstance(value, str) else value for key, value in body.items()}
                path = {}
                if "{id}" in self.description.operations[name][1]:
                    path["id"] = self.victim(name)
                if "{job}" in self.description.operations[name][1]:
                    path["job"] = "nightly"
                answer = self.ask_for(name, body=body, **path)
                if status is None:
                    self.assertLess(answer.status, 500, answer.body)
                else:
                    self.assertEqual(status, answer.status, answer.body)
                done.add(name)
        posts = {name for name, (method, _, _) in self.description.operations.items() if method == "POST"}
        self.assertEqual(posts, done)

    def victim(self, name):
        """Something that the call may be done to."""
        if name == "requeueTask":
            return self.ask_for("listTasks", {"source": "missing"}).json()["items"][0]["id"]
        if name == "cancelPlan":
            return self.ask_for("listPlans", {"source": "well", "limit": 1}).json()["items"][0]["id"]
        kind = {"cancelTask": "listTasks", "cancelSlice": "listSlices"}[name]
        rows = self.ask_for(kind, {"source": "well"}).json()["items"]
        return next(row["id"] for row in rows if row["status"] in ("QUEUED", "READY", "PENDING"))

    def test_6_changes_are_audited(self):
        cursor = self.ask_for("listCursors", {"source": "well"}).json()["items"][0]
        self.ask_for("setCursor", body={"cursor": cursor["id"], "value": "now-20d"})
        decision = self.ask_for("showCursor", id=cursor["id"]).json()["decisions"][0]
        self.assertEqual(("admin", "API", "of the test"), (decision["actor"], decision["way"], decision["reason"]))
        key = self.ask_for("listGateKeys").json()["items"][0]["key"]
        self.assertEqual(200, self.ask_for("resetGateKey", body={"key": key}).status)
        entries = self.ask_for("listAudit", {"limit": 10}).json()["items"]
        self.assertIn(("RESET_GATE", "GATE_KEY", key, "admin", "of the test"),
                      [tuple(entry[name] for name in ("action", "objectType", "object", "actor", "reason")) for entry in entries])

    def test_6_the_same_key_does_it_once(self):
        def ask(body, key):
            return self.world.ask("POST", "/api/v1/signals", body, "operator",
                                  {"X-Patra-Reason": "of the test", "Idempotency-Key": key})
        first = ask({"target": "well/items", "itemId": "once"}, "k-1")
        self.assertEqual({"new": True}, first.json())
        again = ask({"target": "well/items", "itemId": "once"}, "k-1")
        self.assertEqual(({"new": True}, "true"), (again.json(), again.headers["idempotent-replayed"]))
        self.assertEqual({"new": False}, ask({"target": "well/items", "itemId": "once"}, "k-2").json())
        self.assertEqual(422, ask({"target": "well/items", "itemId": "other"}, "k-1").status)

    def test_6_listeners_hear_how_things_are_and_what_changes(self):
        def listen(heard=None):
            connection = worlds.http.client.HTTPConnection(self.world.host, self.world.port, timeout=30)
            headers = {"Authorization": "Bearer " + self.world.tokens["viewer"]}
            connection.request("GET", "/api/v1/events", headers={**headers, **({"Last-Event-ID": heard} if heard else {})})
            answer = connection.getresponse()
            self.assertEqual("text/event-stream", answer.getheader("content-type"))
            return connection, answer

        def hear(answer, name):
            event = {}
            while True:
                line = answer.readline().decode().rstrip("\n")
                if not line and event.get("event") == name:
                    return event
                if not line:
                    event = {}
                elif not line.startswith(":"):
                    key, _, value = line.partition(": ")
                    event[key] = value

        connection, answer = listen()
        queue = hear(answer, "queue")
        status = hear(answer, "status")
        self.assertIn('"source":"well"', queue["data"])
        connection.close()
        connection, answer = listen(queue["id"])
        self.assertEqual(status["id"], hear(answer, "status")["id"], "what was missed")
        self.ask_for("planHarvest", body={"source": "well", "from": "-130d", "to": "-128d"})
        self.assertNotEqual(queue["id"], hear(answer, "queue")["id"])
        connection.close()

    def test_6_who_follows_changes_misses_none_and_hears_none_twice(self):
        items = {row["id"] for row in self.ask_for("listItems", {"source": "well", "limit": 1000}).json()["items"]}
        heard, query = [], {"source": "well", "limit": 37}
        while True:
            page = self.ask_for("listChanges", query).json()
            heard += [row["id"] for row in page["items"] if row["change"] == "inserted"]
            query["after"] = page["place"]
            if page["next"] is None:
                break
        self.assertEqual(len(heard), len(set(heard)))
        self.assertEqual(items, set(heard))
        self.assertEqual([], self.ask_for("listChanges", query).json()["items"])
        self.assertEqual(page["place"], self.ask_for("listChanges", {"after": "end"}).json()["place"])
        self.assertEqual(400, self.ask_for("listChanges", {"after": "seven"}).status)
        connection = worlds.http.client.HTTPConnection(self.world.host, self.world.port, timeout=30)
        connection.request("GET", "/api/v1/changes/stream?source=well",
                           headers={"Authorization": "Bearer " + self.world.tokens["viewer"]})
        answer, told = connection.getresponse(), []
        self.assertEqual("text/event-stream", answer.getheader("content-type"))
        while len(told) < len(heard):
            line = answer.readline().decode()
            if line.startswith("data: "):
                told += [row["id"] for row in [json.loads(line[6:])] if row["change"] == "inserted"]
        self.assertEqual(heard, told)
        connection.close()

    def test_7_each_role_may_do_what_it_is_for(self):
        rank = ["viewer", "operator", "admin"]
        for name, (method, path, operation) in self.description.operations.items():
            role = operation.get("x-patra-role")
            if role is None or "{" in path:
                continue
            for held in rank[:rank.index(role)]:
                answer = self.ask_for(name, role=held, body={} if method == "POST" else None)
                self.assertEqual(403, answer.status, (name, held))

    def test_8_what_chance_asks_for_is_answered_as_described(self):
        text = st.one_of(st.text(max_size=30), st.sampled_from(
            ["", "well", "well/items", "*", "../x", "%", "\x00", "a" * 300, "-1", "9" * 25, "now", "'", "null", "‹a.b›"]))
        value = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), text),
                             lambda inner: st.one_of(st.lists(inner, max_size=3),
                                                     st.dictionaries(text, inner, max_size=3)), max_leaves=6)
        harmless = sorted(name for name in self.description.operations
                          if name not in ("applyRegistry", "healOnce", "replayBatch", "listenToEvents", "followChanges"))

        @hypothesis.settings(max_examples=400, deadline=None, derandomize=True, database=None,
                             suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.given(st.sampled_from(harmless), st.data())
        def ask(name, data):
            method, path, operation = self.description.operations[name]
            parameters = {one["name"]: one for one in operation["parameters"] if one["in"] == "query"}
            names = st.sampled_from(sorted(parameters) + ["nonsense"]) if parameters else st.just("nonsense")
            query = data.draw(st.dictionaries(names, text, max_size=3))
            holes = {hole: data.draw(text.filter(bool)) for hole in re.findall(r"\{(\w+)\}", path)}
            body = None
            if method == "POST":
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                members = st.dictionaries(st.sampled_from(sorted(schema["properties"])), st.one_of(text, value))
                body = data.draw(st.one_of(members, value))
            try:
                answer = self.ask_for(name, query, body, **holes)
            except UnicodeEncodeError:
                return
            self.assertNotEqual(500, answer.status, (name, query, holes, body, answer.body))

        ask()


if __name__ == "__main__":
    program = sys.argv.pop(1)
    with worlds.world(program) as running:
        Api.world = running
        Api.description = Description(running.ask("GET", "/api/v1/openapi.json").json())
        result = unittest.main(exit=False, verbosity=2 if "-v" in sys.argv else 1).result
    sys.exit(0 if result.wasSuccessful() else 1)
