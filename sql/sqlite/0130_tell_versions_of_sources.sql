-- Under which number each source was changed last: who kept what it read asks for it alone.
CREATE TABLE reg_source_version (
    provenance_code TEXT    NOT NULL PRIMARY KEY,
    version_id      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
