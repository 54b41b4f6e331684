-- Moves that a cursor did not make: its event stands, and here is why the value stayed. The same refusal is one row.
CREATE TABLE ing_cursor_refusal (
    id                   BIGINT         NOT NULL PRIMARY KEY,
    provenance_code      VARBINARY(128) NOT NULL,
    endpoint_name        VARBINARY(128) NOT NULL,
    operation_code       VARBINARY(32)  NOT NULL,
    cursor_key           VARBINARY(255) NOT NULL,
    namespace_scope_code VARBINARY(32)  NOT NULL,
    namespace_key        VARBINARY(255) NOT NULL,
    direction_code       VARBINARY(32)  NOT NULL,
    present_value        LONGTEXT,  -- NULL: the cursor has none yet
    proposed_value       LONGTEXT       NOT NULL,
    reason               LONGBLOB       NOT NULL,
    plan_id              BIGINT         NOT NULL,
    slice_id             BIGINT         NOT NULL,
    task_id              BIGINT         NOT NULL,
    run_id               BIGINT         NOT NULL,
    idempotent_key       VARBINARY(64)  NOT NULL,
    created_at           BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_cursor_refusal ON ing_cursor_refusal (idempotent_key);
CREATE INDEX idx_cursor_refusal_ns ON ing_cursor_refusal
    (provenance_code, endpoint_name, operation_code, namespace_scope_code, namespace_key, cursor_key, created_at, id);

-- The signals of a plan in their order, also when they are done: an update's cursor goes along with them.
CREATE INDEX idx_signal_of_plan ON ing_signal (plan_id, id);
