-- What was applied for a release: a source's definition as a whole, for those alone who work with that release.
CREATE TABLE reg_release (
    id              INTEGER PRIMARY KEY,
    release_tag     TEXT    NOT NULL,
    provenance_code TEXT    NOT NULL,
    effective_from  INTEGER NOT NULL,
    effective_to    INTEGER,           -- [from, to); NULL: still valid
    registry_rows   TEXT    NOT NULL   -- as the other tables would have them, as JSON
) STRICT;
CREATE INDEX idx_reg_release_source ON reg_release (release_tag, provenance_code, effective_from);
