-- The isolation pool: what could not be taken in, with its bytes and the reason, until a person or a
-- corrected mapping decides about it.

CREATE TABLE ing_quarantine (
    id               INTEGER PRIMARY KEY,
    provenance_code  TEXT    NOT NULL,
    endpoint_name    TEXT    NOT NULL,
    operation_code   TEXT    NOT NULL,
    provider_item_id TEXT,
    level_code       TEXT    NOT NULL,  -- RECORD or BATCH
    path             TEXT    NOT NULL,
    rule             TEXT    NOT NULL,
    reason           TEXT    NOT NULL,
    body_zstd        BLOB    NOT NULL,  -- redacted, one zstd frame
    body_size        INTEGER NOT NULL,
    expr_hash        TEXT    NOT NULL,
    plan_id          INTEGER NOT NULL,
    slice_id         INTEGER NOT NULL,
    task_id          INTEGER NOT NULL,
    run_id           INTEGER NOT NULL,
    batch_id         INTEGER NOT NULL,
    batch_no         INTEGER NOT NULL,
    record_no        INTEGER NOT NULL,  -- position among the batch's bad records, from 1
    status_code      TEXT    NOT NULL DEFAULT 'OPEN',  -- OPEN, APPROVED, REJECTED or RETRIED
    decided_by       TEXT,
    decided_reason   TEXT,
    decided_at       INTEGER,
    created_at       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_quarantine_record ON ing_quarantine (batch_id, record_no);
CREATE INDEX idx_quarantine_open ON ing_quarantine (provenance_code, endpoint_name, created_at)
    WHERE status_code = 'OPEN';
CREATE INDEX idx_quarantine_item ON ing_quarantine (provenance_code, endpoint_name, provider_item_id)
    WHERE provider_item_id IS NOT NULL;
CREATE INDEX idx_quarantine_time ON ing_quarantine (created_at);
