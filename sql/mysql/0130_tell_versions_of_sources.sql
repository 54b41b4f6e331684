-- Under which number each source was changed last: who kept what it read asks for it alone.
CREATE TABLE reg_source_version (
    provenance_code VARBINARY(128) NOT NULL PRIMARY KEY,
    version_id      BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
