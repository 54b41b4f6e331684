#!/usr/bin/env python3
"""Every column of a store is read by a statement of src/infra/sql, or stands on the list below with what will read it.

A column that is only written costs on every write and tells nobody anything.
"""
import pathlib
import re
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Tables as a whole, by how their names begin.
UNREAD_TABLES = {
    "reg_": "the registry is written and read by column names that registry_mapping.cc makes of a definition's keys",
    "sys_dict": "codes with their words, for people; the service checks definitions against them",
    "ing_outbox": "the relay of messages",
    "ing_api_token": "the service's tokens",
    "patra_schema": "the runner of changes in src/infra/sqlite",
}
# Columns that say when, or how often, a row was written, whatever its table: for people, in the views v_ing_*.
BOOKKEEPING = {"created_at", "updated_at", "version"}
UNREAD_COLUMNS = {
    "ing_task_run.last_heartbeat": "for people, in v_ing_task_run",
    "ing_cursor.schedule_instance_id": "for people, in v_ing_cursor: which trigger moved it last",
    "ing_cursor.expr_hash": "for people, in v_ing_cursor: what was asked with when it moved last",
    "ing_cursor_event.prev_instant": "for people, in v_ing_cursor_event",
    "ing_cursor_event.prev_numeric": "for people, in v_ing_cursor_event",
    "ing_batch_rollup.unchanged": "metrics of the service",
    "ing_batch_rollup.stale": "metrics of the service",
    "ing_signal.consumed_at": "for people, in v_ing_signal",
    "ing_quota.used": "metrics of the service",
    "ing_enumerated_id.attempts": "evidence bundles of the black box",
}


def columns_of_store():
    database = sqlite3.connect(":memory:")
    database.create_function("bytes_of_hash", 1, lambda text: bytes.fromhex(text))
    for change in sorted((ROOT / "sql/sqlite").glob("*.sql")):
        database.executescript(change.read_text(encoding="utf-8"))
    tables = [row[0] for row in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
    return {table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")] for table in tables}


def reading_part(statement):
    """What is left of a statement without the columns that it writes."""
    without_insert = re.sub(r"INSERT INTO .*?VALUES.*?(?=ON CONFLICT|RETURNING|$)", "", statement, flags=re.S)
    return re.sub(r"\bSET\b.*?(?=\bWHERE\b|\bRETURNING\b|$)", "", without_insert, flags=re.S)


def is_read(table, column, texts):
    word = re.compile(rf"(?<!:)\b{column}\b")
    for text in texts:
        if not re.search(rf"\b{table}\b|\bing_living_item\b", text):
            continue
        if re.search(rf'rows\.\w+\("{column}"\)', text):
            return True
        statements = re.findall(r'R"sql\((.*?)\)sql"|"((?:SELECT|UPDATE|DELETE|INSERT| FROM)[^"]*)"', text, re.S)
        if any(word.search(reading_part(raw or plain)) for raw, plain in statements):
            return True
    return False


def main():
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/infra").rglob("*"))
             if path.suffix in (".cc", ".h")]
    unread, listed = set(), set(UNREAD_COLUMNS)
    for table, columns in columns_of_store().items():
        if any(table.startswith(start) for start in UNREAD_TABLES):
            continue
        for column in columns:
            if column not in BOOKKEEPING and not is_read(table, column, texts):
                unread.add(f"{table}.{column}")
    for name in sorted(unread - listed):
        print(f"{name}: no statement reads it")
    for name in sorted(listed - unread):
        print(f"{name}: is read, so it does not belong on the list")
    return 0 if unread == listed else 1


sys.exit(main())
