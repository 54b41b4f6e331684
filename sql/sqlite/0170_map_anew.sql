-- Pages of the raw vault that a changed definition is applied to, endpoint by endpoint. What is made anew is newer than what another
-- mapping made of the same version, and so is what plans bring that were made since.
ALTER TABLE ing_record_set ADD COLUMN mapping_generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_plan ADD COLUMN mapping_generation INTEGER NOT NULL DEFAULT 0;

CREATE TABLE ing_remap (
    id              INTEGER PRIMARY KEY,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    mapping_hash    TEXT    NOT NULL,           -- of the definition that is applied
    generation      INTEGER NOT NULL,
    since           INTEGER,                    -- of the pages; NULL: all of them
    at_run          INTEGER NOT NULL DEFAULT 0, -- the last that was dealt with
    at_batch_no     INTEGER NOT NULL DEFAULT 0,
    pages           INTEGER NOT NULL DEFAULT 0,
    pages_lost      INTEGER NOT NULL DEFAULT 0, -- that the vault does not have, or that cannot be read
    records         INTEGER NOT NULL DEFAULT 0,
    inserted        INTEGER NOT NULL DEFAULT 0,
    updated         INTEGER NOT NULL DEFAULT 0,
    unchanged       INTEGER NOT NULL DEFAULT 0,
    left_alone      INTEGER NOT NULL DEFAULT 0, -- records that another page decides about
    bad             INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    finished_at     INTEGER
) STRICT;
CREATE INDEX idx_remap_endpoint ON ing_remap (provenance_code, endpoint_name, mapping_hash);

CREATE VIEW v_ing_remap AS
SELECT
    id,
    provenance_code,
    endpoint_name,
    mapping_hash,
    generation,
    strftime('%Y-%m-%dT%H:%M:%fZ', since / 1000000.0, 'unixepoch') AS since,
    at_run,
    at_batch_no,
    pages,
    pages_lost,
    records,
    inserted,
    updated,
    unchanged,
    left_alone,
    bad,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000000.0, 'unixepoch') AS finished_at
FROM ing_remap;
