#!/usr/bin/env python3
"""The statements of src/infra/sql and src/infra/mysql are taken by MariaDB, MySQL 8 and TiDB alike, and none of them counts on
ids without gaps.

Only MariaDB is at hand, so what it alone knows is looked for by its words (foreign_syntax.py). The schema changes of sql/mysql
are looked at in the same way, and their ids, too.
"""
import pathlib
import re
import sys

import foreign_syntax

ROOT = pathlib.Path(__file__).resolve().parents[2]

PIECE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|(?P<space>\s+)|(?P<other>.)', re.S)
VERB = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET|START|REPLACE|SHOW|LOCK|FROM|WHERE|AND|ORDER|LIMIT|"
                  r"JOIN|LEFT|VALUES|ON|GROUP|HAVING|UNION)\b")

# Where a database does number rows, with what makes that harmless.
NUMBERED = {
    "0077_make_records_small.sql": "the number of an endpoint in ing_record_set is a name, and any other would do",
}

# What must be found, and what must not.
FOUND = [
    "DELETE FROM t WHERE a = :a RETURNING b", "SELECT NEXTVAL(s)", "CREATE OR REPLACE TABLE t (a INT)",
    "ALTER TABLE t ADD COLUMN IF NOT EXISTS a INT", "CREATE INDEX IF NOT EXISTS i ON t (a)", "CREATE TABLE t (a INET6)",
    "CREATE TABLE t (a UUID NOT NULL)", "SET STATEMENT max_statement_time = 1 FOR SELECT 1",
    "SELECT a FROM t LIMIT 5 ROWS EXAMINED 100", "SELECT a FROM t EXCEPT SELECT a FROM u",
    "SELECT a FROM t INTERSECT SELECT a FROM u", "SELECT a FROM t FOR SYSTEM_TIME ALL", "SELECT a FROM t FOR UPDATE WAIT 5",
    "SELECT count(*) AS rank FROM t", "CREATE TABLE t (id BIGINT AUTO_INCREMENT)", "SELECT a FROM t WHERE id = :last_id + 1",
    "SELECT max(id) + 1 FROM t", "SELECT LAST_INSERT_ID()",
]
NOT_FOUND = [
    "SELECT a FROM t WHERE b = 'returning' -- except here", "CREATE OR REPLACE VIEW v AS SELECT 1", "SELECT UUID()",
    "SELECT row_number() OVER (ORDER BY a) AS place FROM t", "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u)",
    "SELECT a FROM t FOR UPDATE SKIP LOCKED", "SELECT max(id) FROM t", "UPDATE t SET version = version + 1 WHERE id = :id",
]


def statements_in(code):
    """Pieces of SQL among the texts of C++, with the line where they begin. Texts that follow each other are one."""
    texts, begin = "", 0
    for piece in PIECE.finditer(code):
        text = piece.group("raw") if piece.group("raw") is not None else piece.group("text")
        if text is not None:
            begin = begin if texts else code.count("\n", 0, piece.start()) + 1
            texts += text
        elif piece.group("other") is not None and texts:
            if VERB.match(texts):
                yield begin, texts
            texts = ""


def problems_in_source():
    tables = foreign_syntax.IN_EVERY_STATEMENT, foreign_syntax.GAPLESS_IDS
    files = [path for folder in ("sql", "mysql") for path in sorted((ROOT / "src/infra" / folder).glob("*.*"))
             if path.suffix in (".cc", ".h")]
    count = 0
    problems = []
    for path in files:
        for line, statement in statements_in(path.read_text(encoding="utf-8")):
            count += 1
            problems += [f"{path.relative_to(ROOT)}:{line}: {found!r}: {why}"
                         for found, why in foreign_syntax.findings(statement, *tables)]
    for path in sorted((ROOT / "sql/mysql").glob("*.sql")):
        if path.name in NUMBERED:
            continue
        problems += [f"sql/mysql/{path.name}: {found!r}: {why}"
                     for found, why in foreign_syntax.findings(path.read_text(encoding="utf-8"), foreign_syntax.GAPLESS_IDS)]
    if count < 300:
        problems.append(f"only {count} statements were found: this test no longer sees how they are written")
    return problems, count


def problems_of_this_test():
    tables = foreign_syntax.IN_SCHEMA_CHANGES, foreign_syntax.GAPLESS_IDS
    return ([f"not found: {sql}" for sql in FOUND if not foreign_syntax.findings(sql, *tables)] +
            [f"found in {sql}: {foreign_syntax.findings(sql, foreign_syntax.IN_EVERY_STATEMENT, foreign_syntax.GAPLESS_IDS)}"
             for sql in NOT_FOUND
             if foreign_syntax.findings(sql, foreign_syntax.IN_EVERY_STATEMENT, foreign_syntax.GAPLESS_IDS)])


def main():
    problems, count = problems_in_source()
    problems += problems_of_this_test()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"portable_sql: {count} statements, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
