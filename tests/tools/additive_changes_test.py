#!/usr/bin/env python3
"""Programs of neighbouring versions work on one store: a change of the schema only adds, or says that programs have to know it.

What counts is the newest change that programs have to know (kReadersHaveToKnow in src/infra/sql/schema_book.cc): a program that
knows it writes and reads by the names that it knows, so whatever comes later must leave all of them as they are.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

COMMENT = re.compile(r"--[^\n]*")
NAME = r'[`"]?(\w+)[`"]?'
ADDS_COLUMN = re.compile(rf"ALTER TABLE {NAME} ADD (?:COLUMN )?{NAME} (.*)", re.S)
CREATES = re.compile(r"CREATE (?:TABLE|VIEW|OR REPLACE VIEW|INDEX) ")
FILLS = re.compile(rf"UPDATE {NAME} SET (.*?)(?: WHERE .*)?", re.S)
NAMES_CODES = re.compile(r"INSERT INTO sys_dict_\w+ ")
DROPS_VIEW = re.compile(rf"DROP VIEW {NAME}")

ADDS = [
    "ALTER TABLE t ADD COLUMN a BIGINT;",
    "ALTER TABLE t ADD COLUMN a BIGINT NOT NULL DEFAULT 0; UPDATE t SET a = b + c WHERE b > 0;",
    "CREATE TABLE t (a BIGINT NOT NULL); CREATE UNIQUE INDEX i ON t (a);",
    "-- why\nCREATE INDEX i ON t (a);",
    "INSERT INTO sys_dict_item (id) VALUES (1);",
    "DROP VIEW v; CREATE VIEW v AS SELECT 1;",
]
CHANGES = [
    "ALTER TABLE t ADD COLUMN a BIGINT NOT NULL;", "ALTER TABLE t DROP COLUMN a;", "ALTER TABLE t RENAME COLUMN a TO b;",
    "DROP TABLE t;", "DROP INDEX i ON t;", "DROP VIEW v;", "CREATE UNIQUE INDEX i ON t (a);", "UPDATE t SET a = 1;",
    "DELETE FROM t;", "INSERT INTO t VALUES (1);", "ALTER TABLE t ADD COLUMN a BIGINT; UPDATE t SET a = 1, b = 2;",
]


def columns_set(text):
    """a = b, c = f(d, e) -> a, c"""
    flat = text
    while re.search(r"\([^()]*\)", flat):
        flat = re.sub(r"\([^()]*\)", "", flat)
    return [part.split("=")[0].strip() for part in flat.split(",")]


def not_additive(sql):
    """The statements of a change that older programs may stumble over."""
    statements = [" ".join(s.split()) for s in COMMENT.sub("", sql).split(";")]
    statements = [s for s in statements if s]
    made = set(re.findall(rf"CREATE TABLE {NAME}", " ; ".join(statements)))
    views = set(re.findall(rf"CREATE (?:OR REPLACE )?VIEW {NAME}", " ; ".join(statements)))
    added = set()
    wrong = []
    for statement in statements:
        column = ADDS_COLUMN.fullmatch(statement)
        fills = FILLS.fullmatch(statement)
        unique = re.match(rf"CREATE UNIQUE INDEX {NAME} ON {NAME}", statement)
        drops = DROPS_VIEW.fullmatch(statement)
        if column:
            added.add((column[1], column[2]))
            fine = column[1] in made or "NOT NULL" not in column[3].upper() or "DEFAULT" in column[3].upper()
        elif fills:
            fine = all((fills[1], name) in added for name in columns_set(fills[2]))
        elif unique:
            fine = unique[2] in made
        elif drops:
            fine = drops[1] in views
        else:
            fine = bool(CREATES.match(statement) or NAMES_CODES.match(statement))
        if not fine:
            wrong.append(statement)
    return wrong


def main():
    failed = False
    for sql in ADDS:
        if not_additive(sql):
            print(f"additive_changes: taken for a change that does not add: {sql}")
            failed = True
    for sql in CHANGES:
        if not not_additive(sql):
            print(f"additive_changes: not noticed: {sql}")
            failed = True
    book = (ROOT / "src/infra/sql/schema_book.cc").read_text()
    known = [int(n) for n in re.search(r"kReadersHaveToKnow\{([\d, ]+)\}", book)[1].split(",")]
    files = sorted(f for f in ROOT.glob("sql/*/*.sql") if int(f.name[:4]) > max(known))
    if not files:
        print("additive_changes: no changes found")
        failed = True
    for file in files:
        for statement in not_additive(file.read_text()):
            print(f"{file.relative_to(ROOT)}: older programs may stumble over this: {statement[:160]}\n"
                  f"  let it only add, or put {int(file.name[:4])} among kReadersHaveToKnow (src/infra/sql/schema_book.cc)")
            failed = True
    return 1 if failed else 0


sys.exit(main())
