-- The ids that the first of two phases found: which details are fetched, and which never come.

CREATE TABLE ing_enumerated_id (
    slice_id         INTEGER NOT NULL,
    provider_item_id TEXT    NOT NULL,
    status_code      TEXT    NOT NULL DEFAULT 'FOUND',  -- FOUND, FETCHED or BAD
    found_batch_id   INTEGER NOT NULL,
    fetched_batch_id INTEGER,
    attempts         INTEGER NOT NULL DEFAULT 0,
    updated_at       INTEGER NOT NULL,
    PRIMARY KEY (slice_id, provider_item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_enumerated_open ON ing_enumerated_id (slice_id, provider_item_id) WHERE status_code = 'FOUND';

CREATE TABLE ing_bad_id (
    provenance_code  TEXT    NOT NULL,
    endpoint_name    TEXT    NOT NULL,
    provider_item_id TEXT    NOT NULL,
    reason           TEXT    NOT NULL,
    batch_id         INTEGER NOT NULL,
    listed_at        INTEGER NOT NULL,
    released_at      INTEGER,
    PRIMARY KEY (provenance_code, endpoint_name, provider_item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_bad_id_time ON ing_bad_id (listed_at);
