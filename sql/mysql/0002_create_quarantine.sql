-- The isolation pool: what could not be taken in, with its bytes and the reason, until a person or a
-- corrected mapping decides about it.

CREATE TABLE ing_quarantine (
    id               BIGINT          NOT NULL PRIMARY KEY,
    provenance_code  VARBINARY(128)  NOT NULL,
    endpoint_name    VARBINARY(128)  NOT NULL,
    operation_code   VARBINARY(32)   NOT NULL,
    provider_item_id VARBINARY(2000),
    level_code       VARBINARY(32)   NOT NULL,  -- RECORD or BATCH
    path             VARBINARY(4096) NOT NULL,
    rule             VARBINARY(128)  NOT NULL,
    reason           LONGBLOB        NOT NULL,
    body_zstd        LONGBLOB        NOT NULL,  -- redacted, one zstd frame
    body_size        BIGINT          NOT NULL,
    expr_hash        VARBINARY(64)   NOT NULL,
    plan_id          BIGINT          NOT NULL,
    slice_id         BIGINT          NOT NULL,
    task_id          BIGINT          NOT NULL,
    run_id           BIGINT          NOT NULL,
    batch_id         BIGINT          NOT NULL,
    batch_no         BIGINT          NOT NULL,
    record_no        BIGINT          NOT NULL,  -- position among the batch's bad records, from 1
    status_code      VARBINARY(32)   NOT NULL DEFAULT 'OPEN',  -- OPEN, APPROVED, REJECTED or RETRIED
    decided_by       LONGTEXT,
    decided_reason   LONGTEXT,
    decided_at       BIGINT,
    created_at       BIGINT          NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_quarantine_record ON ing_quarantine (batch_id, record_no);
CREATE INDEX idx_quarantine_open ON ing_quarantine (status_code, provenance_code, endpoint_name, created_at);
CREATE INDEX idx_quarantine_item ON ing_quarantine (provenance_code, endpoint_name, provider_item_id);
CREATE INDEX idx_quarantine_time ON ing_quarantine (created_at);
