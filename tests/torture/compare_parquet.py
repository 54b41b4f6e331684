"""compare_parquet FILE LINES: whether both hold the same records, value for value, as pyarrow reads them."""
import datetime
import json
import sys

import pyarrow.parquet

FIXED = ("source", "endpoint", "id", "updatedAt", "deletedAt", "mergedInto")


def as_stored(value):
    """A value of a typed column as JSON Lines have it."""
    if isinstance(value, datetime.datetime):
        text = value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")
        return text + "Z"
    return value.isoformat() if isinstance(value, datetime.date) else value


def same(cell, stored, is_text):
    if stored is None or cell is None:
        return cell is stored
    if is_text and not isinstance(stored, str):
        return json.loads(cell) == stored
    return as_stored(cell) == stored


def main() -> int:
    file = pyarrow.parquet.ParquetFile(sys.argv[1])
    table = file.read()
    texts = {field.name: "string" in str(field.type) or "json" in str(field.type) for field in table.schema}
    with open(sys.argv[2], encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    if table.num_rows != len(records):
        print(f"{table.num_rows} rows, {len(records)} records")
        return 1
    for row, record in zip(table.to_pylist(), records):
        for name, cell in row.items():
            if name == "otherFields":
                stored = {k: v for k, v in record["fields"].items() if k not in row} or None
            else:
                stored = record.get(name) if name in FIXED else record["fields"].get(name)
            if not same(cell, stored, texts[name]):
                print(f"{record['id']}: {name} is {cell!r}, stored is {stored!r}")
                return 1
    print(f"{len(records)} records in {file.num_row_groups} row groups are the same; {table.num_columns} columns")
    return 0


sys.exit(main())
