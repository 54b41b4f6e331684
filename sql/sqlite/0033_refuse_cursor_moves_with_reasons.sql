-- Moves that a cursor did not make: its event stands, and here is why the value stayed. The same refusal is one row.
CREATE TABLE ing_cursor_refusal (
    id                   INTEGER NOT NULL PRIMARY KEY,
    provenance_code      TEXT    NOT NULL,
    endpoint_name        TEXT    NOT NULL,
    operation_code       TEXT    NOT NULL,
    cursor_key           TEXT    NOT NULL,
    namespace_scope_code TEXT    NOT NULL,
    namespace_key        TEXT    NOT NULL,
    direction_code       TEXT    NOT NULL,
    present_value        TEXT,              -- NULL: the cursor has none yet
    proposed_value       TEXT    NOT NULL,
    reason               TEXT    NOT NULL,
    plan_id              INTEGER NOT NULL,
    slice_id             INTEGER NOT NULL,
    task_id              INTEGER NOT NULL,
    run_id               INTEGER NOT NULL,
    idempotent_key       TEXT    NOT NULL,
    created_at           INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_cursor_refusal ON ing_cursor_refusal (idempotent_key);
CREATE INDEX idx_cursor_refusal_ns ON ing_cursor_refusal
    (provenance_code, endpoint_name, operation_code, namespace_scope_code, namespace_key, cursor_key, created_at, id);

-- The signals of a plan in their order, also when they are done: an update's cursor goes along with them.
CREATE INDEX idx_signal_of_plan ON ing_signal (plan_id, id) WHERE plan_id IS NOT NULL;
