#!/usr/bin/env python3
"""No class is defined twice under one name: programs that link both would go by either. Tests are linked with what they test,
so that theirs count, too. Classes that one .cc file has to itself stand in an unnamed namespace, those of a test file in one of
the file's name."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

BEGIN = re.compile(r"namespace ([\w:]*) ?\{$")
END = re.compile(r"\}  // namespace")
DEFINITION = re.compile(r"(?:class|struct) (\w+)\b(?!::)(?: final)?(?:\s*:\s*[^;]*|\s*)\{")


def definitions(path):
    namespaces = []
    for line in path.read_text().splitlines():
        if begun := BEGIN.match(line):
            namespaces.append(begun[1] or str(path))
        elif END.match(line):
            namespaces.pop()
        elif found := DEFINITION.match(line):
            yield "::".join([*namespaces, found[1]])


def main():
    places = collections.defaultdict(list)
    for folder in ("src", "sim", "tests"):
        for path in sorted([*(ROOT / folder).rglob("*.h"), *(ROOT / folder).rglob("*.cc")]):
            for name in definitions(path):
                places[name].append(str(path.relative_to(ROOT)))
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    for name, paths in twice.items():
        print(f"{name} is defined in {' and '.join(paths)}")
    print(f"{len(places)} classes, {len(twice)} defined twice")
    sys.exit(1 if twice or len(places) < 1000 else 0)


main()
