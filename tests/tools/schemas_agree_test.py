#!/usr/bin/env python3
"""sql/sqlite and sql/mysql make the same store: applies both and compares what comes of it.

The same changes by number and name, tables, columns, keys, indexes by name, defaults, views and rows of dictionaries. A
MariaDB of its own is started for that, in a temporary directory and on a free port; where there is none, the test is
skipped.
"""
import os
import pathlib
import pwd
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import foreign_syntax

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
MODES = "ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION"

TYPES = {"INTEGER": {"bigint"}, "REAL": {"double"}, "TEXT": {"varbinary", "longtext", "longblob"},
         "BLOB": {"varbinary", "longblob"}}
TABLE_OPTIONS = ("InnoDB", "utf8mb4_bin", "Dynamic")
# Rows that changes write.
DICTIONARIES = ["sys_dict_type", "sys_dict_item", "sys_dict_item_alias", "reg_expr_field_dict"]
# Columns of MySQL's stores alone: 1 where the condition of a partial unique index of SQLite holds, else NULL.
CONDITIONS = re.compile(r"is_[a-z_]+")


def statements_of(text):
    """As the runner of changes splits them: at each semicolon that ends a line."""
    statements = []
    for part in re.split(r";[ \t]*(?:\n|$)", text):
        if any(line.strip() and not line.strip().startswith("--") for line in part.split("\n")):
            statements.append(part.strip())
    return statements


def find_foreign_syntax(files):
    problems = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        for statement in statements_of(text):
            code = foreign_syntax.without_texts_and_comments(statement)
            if ";" in code:
                problems.append(f"{path.name}: a semicolon that ends no line: {code.strip()[:60]!r}")
        problems += [f"{path.name}: {found!r}: {reason}"
                     for found, reason in foreign_syntax.findings(text, foreign_syntax.IN_SCHEMA_CHANGES)]
    return problems


class MariaDb:
    """A server of our own, as an unprivileged user. Stopped by its process."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.data = self.directory / "data"
        self.socket = self.directory / "socket"
        self.process = None

    def start(self):
        user = []
        self.data.mkdir()
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            for path in (self.directory, self.data):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
            user = ["--user=nobody"]
        subprocess.run(["mariadb-install-db", "--no-defaults", "--auth-root-authentication-method=normal",
                        "--skip-test-db", f"--datadir={self.data}", *user],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # Nothing of it is kept, so nothing need be safe on a disk.
        self.process = subprocess.Popen(
            [server_program(), "--no-defaults", *user, f"--datadir={self.data}", f"--socket={self.socket}",
             f"--port={port}", "--bind-address=127.0.0.1", f"--log-error={self.directory / 'log'}",
             f"--pid-file={self.directory / 'pid'}", "--innodb-flush-log-at-trx-commit=0",
             "--innodb-use-native-aio=0", "--innodb-buffer-pool-size=32M", "--performance-schema=OFF"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            if self.socket.exists() and self.try_run("SELECT 1").returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError("MariaDB did not start:\n" + (self.directory / "log").read_text(errors="replace"))

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def try_run(self, sql, database=""):
        command = [client_program(), "--no-defaults", "--user=root", f"--socket={self.socket}", "--batch",
                   "--skip-column-names", "--default-character-set=utf8mb4"]
        # Statements are told apart by a mark of their own, so that a text is sent as the splitter left it.
        return subprocess.run(command + ([database] if database else []), input=sql.encode(), capture_output=True,
                              check=False)

    def run(self, statements, database=""):
        mark = "@@end@@"
        script = f"SET sql_mode = '{MODES}';\ndelimiter {mark}\n" + "".join(f"{one}\n{mark}\n" for one in statements)
        done = self.try_run(script, database)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode(errors="replace").strip())
        return done.stdout.decode()

    def rows(self, sql, database=""):
        def value(text):
            if text == "NULL":
                return None
            return re.sub(r"\\([nt0\\])", lambda found: {"n": "\n", "t": "\t", "0": "\0", "\\": "\\"}[found[1]], text)
        return [tuple(value(field) for field in line.split("\t")) for line in self.run([sql], database).splitlines()]


def server_program():
    return shutil.which("mariadbd") or shutil.which("mariadbd", path="/usr/sbin:/usr/local/sbin:/usr/libexec")


def client_program():
    return shutil.which("mariadb")


def literal(default):
    """A default as its value: 'x', ('x'), x and 0 are written in many ways."""
    if default is None or default.upper() == "NULL":
        return None
    text = default.strip()
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


def schema_of_sqlite(files):
    database = sqlite3.connect(":memory:")
    database.create_function("bytes_of_hash", 1, bytes.fromhex)
    for path in files:
        database.executescript(path.read_text(encoding="utf-8"))
    tables, views = {}, {}
    for kind, name in database.execute(
            "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"):
        # hidden is 2 or 3 for generated columns, which table_info leaves out.
        columns = database.execute(f"PRAGMA table_xinfo({name})").fetchall()
        if kind == "view":
            views[name] = [column[1] for column in columns]
            continue
        key = [column[1] for column in sorted(columns, key=lambda column: column[5]) if column[5]]
        indexes, unnamed = {}, set()
        for _, index, unique, origin, _ in database.execute(f"PRAGMA index_list({name})").fetchall():
            of = tuple(row[2] for row in database.execute(f"PRAGMA index_info({index})"))
            if origin == "c":
                indexes[index] = (bool(unique), of)
            elif origin == "u":
                unnamed.add(of)
        tables[name] = {
            "columns": {column[1]: {"type": column[2], "not_null": bool(column[3] or column[5]),
                                    "default": literal(column[4]), "generated": column[6] in (2, 3)}
                        for column in columns},
            "key": key, "indexes": indexes, "unnamed": unnamed}
    rows = {name: sorted(tuple(None if field is None else str(field) for field in row)
                         for row in database.execute(f"SELECT {', '.join(tables[name]['columns'])} FROM {name}"))
            for name in DICTIONARIES}
    return tables, views, rows


def schema_of_mysql(files, server):
    server.run(["CREATE DATABASE patra CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"])
    for path in files:
        try:
            server.run(statements_of(path.read_text(encoding="utf-8")), "patra")
        except RuntimeError as error:
            raise RuntimeError(f"{path.name}: {error}") from error
    tables, views = {}, {}
    for name, kind, engine, collation, row_format in server.rows(
            "SELECT table_name, table_type, engine, table_collation, row_format FROM information_schema.tables"
            " WHERE table_schema = 'patra'"):
        if kind == "VIEW":
            views[name] = []
        else:
            tables[name] = {"columns": {}, "key": [], "indexes": {}, "options": (engine, collation, row_format)}
    for table, name, data_type, nullable, default, extra, collation in server.rows(
            "SELECT table_name, column_name, data_type, is_nullable, column_default, extra, collation_name"
            " FROM information_schema.columns WHERE table_schema = 'patra' ORDER BY table_name, ordinal_position"):
        if table in views:
            views[table].append(name)
            continue
        tables[table]["columns"][name] = {
            "type": data_type, "not_null": nullable == "NO", "default": literal(default),
            "generated": "GENERATED" in extra, "collation": collation}
    for table, index, not_unique, column in server.rows(
            "SELECT table_name, index_name, non_unique, column_name FROM information_schema.statistics"
            " WHERE table_schema = 'patra' ORDER BY table_name, index_name, seq_in_index"):
        if index == "PRIMARY":
            tables[table]["key"].append(column)
        else:
            unique, of = tables[table]["indexes"].get(index, (not_unique == "0", ()))
            tables[table]["indexes"][index] = (unique, of + (column,))
    # A view can be made of what is not there any more when it is read.
    for view in views:
        server.run([f"SELECT * FROM {view} LIMIT 1"], "patra")
    rows = {}
    for name in DICTIONARIES:
        columns = [column for column, about in tables[name]["columns"].items() if not about["generated"]]
        rows[name] = sorted(server.rows(f"SELECT {', '.join(columns)} FROM {name}", "patra"), key=str)
    return tables, views, rows


def differences(what, of_sqlite, of_mysql):
    return ([f"{what} {name}: only in sql/sqlite" for name in sorted(set(of_sqlite) - set(of_mysql))] +
            [f"{what} {name}: only in sql/mysql" for name in sorted(set(of_mysql) - set(of_sqlite))])


def compare_columns(table, ours, theirs):
    problems = []
    conditions = {name for name, about in theirs["columns"].items()
                  if about["generated"] and CONDITIONS.fullmatch(name) and name not in ours["columns"]}
    theirs_alone = {name: about for name, about in theirs["columns"].items() if name not in conditions}
    problems += differences(f"column of {table}", ours["columns"], theirs_alone)
    for name in conditions:
        if not any(unique and name in of for unique, of in theirs["indexes"].values()):
            problems.append(f"{table}.{name}: no unique index has it")
    for name, one in ours["columns"].items():
        other = theirs["columns"].get(name)
        if other is None:
            continue
        if other["type"] not in TYPES[one["type"]]:
            problems.append(f"{table}.{name}: {one['type']} is {other['type']}")
        if other["collation"] not in (None, "utf8mb4_bin"):
            problems.append(f"{table}.{name}: its collation is {other['collation']}")
        if one["generated"] != other["generated"]:
            problems.append(f"{table}.{name}: generated in one of the two")
        # MariaDB's generated columns cannot be NOT NULL.
        if one["not_null"] != other["not_null"] and not one["generated"]:
            problems.append(f"{table}.{name}: NOT NULL in one of the two")
        if one["default"] != other["default"]:
            problems.append(f"{table}.{name}: its default is {one['default']!r} and {other['default']!r}")
    return problems


def compare_indexes(table, ours, theirs):
    problems = []
    if ours["key"] != theirs["key"]:
        problems.append(f"{table}: its primary key is {ours['key']} and {theirs['key']}")
    # What SQLite names by itself is known by its columns.
    named = {name: about for name, about in theirs["indexes"].items()
             if name in ours["indexes"] or not (about[0] and about[1] in ours["unnamed"])}
    for of in ours["unnamed"] - {about[1] for about in theirs["indexes"].values() if about[0]}:
        problems.append(f"{table}: {of} is unique in sql/sqlite only")
    problems += differences(f"index of {table}", ours["indexes"], named)
    for name, (unique, of) in ours["indexes"].items():
        if name not in named:
            continue
        is_unique, their_columns = named[name]
        if unique != is_unique:
            problems.append(f"{name}: unique in one of the two")
        # Columns of a condition may come before and after those of SQLite, which keep their order.
        if [column for column in their_columns if column in of] != list(of):
            problems.append(f"{name}: its columns are {of} and {their_columns}")
        if unique and any(column not in of and not theirs["columns"][column]["generated"] for column in their_columns):
            problems.append(f"{name}: more columns make less unique: {of} and {their_columns}")
    return problems


def compare(sqlite_schema, mysql_schema):
    tables, views, rows = sqlite_schema
    their_tables, their_views, their_rows = mysql_schema
    problems = differences("table", tables, their_tables) + differences("view", views, their_views)
    for table in sorted(set(tables) & set(their_tables)):
        problems += compare_columns(table, tables[table], their_tables[table])
        problems += compare_indexes(table, tables[table], their_tables[table])
        if their_tables[table]["options"] != TABLE_OPTIONS:
            problems.append(f"{table}: {their_tables[table]['options']} instead of {TABLE_OPTIONS}")
    for view in sorted(set(views) & set(their_views)):
        if views[view] != their_views[view]:
            problems.append(f"{view}: its columns are {views[view]} and {their_views[view]}")
    for name in DICTIONARIES:
        problems += differences(f"row of {name}", rows[name], their_rows[name])
    return problems


def main():
    sqlite_files = sorted((ROOT / "sql/sqlite").glob("*.sql"))
    mysql_files = sorted((ROOT / "sql/mysql").glob("*.sql"))
    problems = differences("change", [path.name for path in sqlite_files], [path.name for path in mysql_files])
    problems += find_foreign_syntax(mysql_files)
    is_skipped = not (server_program() and client_program() and shutil.which("mariadb-install-db"))
    # Changes that one directory lacks are all that needs to be known.
    if not problems and not is_skipped:
        with tempfile.TemporaryDirectory(prefix="patra-schemas-", ignore_cleanup_errors=True) as directory:
            server = MariaDb(directory)
            try:
                server.start()
                problems += compare(schema_of_sqlite(sqlite_files), schema_of_mysql(mysql_files, server))
            except RuntimeError as error:
                problems.append(str(error))
            finally:
                server.stop()
    for problem in problems:
        print(problem)
    if problems:
        return 1
    if is_skipped:
        print("SKIPPED: mariadbd, mariadb and mariadb-install-db are needed, and at least one is not installed."
              " Nothing was compared but the names of changes.")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
