-- What was applied for a release: a source's definition as a whole, for those alone who work with that release.
CREATE TABLE reg_release (
    id              BIGINT         NOT NULL PRIMARY KEY,
    release_tag     VARBINARY(128) NOT NULL,
    provenance_code VARBINARY(128) NOT NULL,
    effective_from  BIGINT         NOT NULL,
    effective_to    BIGINT,                  -- [from, to); NULL: still valid
    registry_rows   LONGTEXT       NOT NULL  -- as the other tables would have them, as JSON
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_reg_release_source ON reg_release (release_tag, provenance_code, effective_from);
