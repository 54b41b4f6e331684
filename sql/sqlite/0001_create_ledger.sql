-- The ledger: what was planned, what ran, what each request brought, and how far the source is proven
-- complete. Times are UTC microseconds since 1970; hashes are lower-case hex; JSON is text.

CREATE TABLE ing_schedule_instance (
    id                INTEGER PRIMARY KEY,
    scheduler_code    TEXT    NOT NULL DEFAULT 'INTERNAL',
    scheduler_job_id  TEXT,
    scheduler_log_id  TEXT,
    trigger_type_code TEXT    NOT NULL,
    triggered_at      INTEGER NOT NULL,
    trigger_params    TEXT    NOT NULL DEFAULT '{}',
    provenance_code   TEXT    NOT NULL,
    endpoint_name     TEXT,
    operation_code    TEXT    NOT NULL,
    record_remarks    TEXT    NOT NULL DEFAULT '[]',
    version           INTEGER NOT NULL DEFAULT 0,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_sched_src ON ing_schedule_instance (scheduler_code, scheduler_job_id, scheduler_log_id);
CREATE INDEX idx_sched_time ON ing_schedule_instance (triggered_at);

CREATE TABLE ing_plan (
    id                         INTEGER PRIMARY KEY,
    schedule_instance_id       INTEGER NOT NULL,
    plan_key                   TEXT    NOT NULL,
    provenance_code            TEXT    NOT NULL,
    endpoint_name              TEXT    NOT NULL,
    operation_code             TEXT    NOT NULL,
    query_hash                 TEXT    NOT NULL,
    namespace_scope_code       TEXT    NOT NULL,
    namespace_key              TEXT    NOT NULL,
    cursor_key                 TEXT    NOT NULL,
    expr_proto_hash            TEXT    NOT NULL,
    expr_proto_snapshot        TEXT    NOT NULL,
    provenance_config_snapshot TEXT    NOT NULL,
    provenance_config_hash     TEXT    NOT NULL,
    spec_fingerprint           TEXT    NOT NULL,
    slice_strategy_code        TEXT    NOT NULL,
    slice_params               TEXT    NOT NULL DEFAULT '{}',
    window_from                INTEGER,
    window_to                  INTEGER,
    sliced_to                  INTEGER,  -- what lies beyond is not cut yet, and counts as unfinished
    priority                   INTEGER NOT NULL,
    status_code                TEXT    NOT NULL DEFAULT 'DRAFT',
    record_remarks             TEXT    NOT NULL DEFAULT '{}',
    version                    INTEGER NOT NULL DEFAULT 0,
    created_at                 INTEGER NOT NULL,
    updated_at                 INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_plan_key ON ing_plan (plan_key);
CREATE INDEX idx_plan_sched ON ing_plan (schedule_instance_id);
CREATE INDEX idx_plan_src_op_time ON ing_plan (provenance_code, operation_code, created_at);
CREATE INDEX idx_plan_status ON ing_plan (status_code, updated_at);
CREATE INDEX idx_plan_namespace ON ing_plan (namespace_key, status_code);
CREATE INDEX idx_plan_expr ON ing_plan (expr_proto_hash);
CREATE INDEX idx_plan_prov_config_hash ON ing_plan (provenance_config_hash);
CREATE INDEX idx_plan_fingerprint ON ing_plan (spec_fingerprint);
CREATE INDEX idx_plan_time ON ing_plan (created_at);

CREATE TABLE ing_plan_slice (
    id                   INTEGER PRIMARY KEY,
    plan_id              INTEGER NOT NULL,
    parent_slice_id      INTEGER,
    provenance_code      TEXT    NOT NULL,
    endpoint_name        TEXT    NOT NULL,
    operation_code       TEXT    NOT NULL,
    query_hash           TEXT    NOT NULL,
    slice_no             INTEGER NOT NULL,
    slice_signature_hash TEXT    NOT NULL,
    slice_spec           TEXT    NOT NULL,
    window_from          INTEGER,
    window_to            INTEGER,
    expr_hash            TEXT    NOT NULL,
    expr_snapshot        TEXT    NOT NULL,
    status_code          TEXT    NOT NULL DEFAULT 'PENDING',
    -- I14: announced = received = inserted + updated + unchanged + stale + quarantined + filtered
    announced            INTEGER,  -- NULL where the source announces no total
    received             INTEGER NOT NULL DEFAULT 0,
    inserted             INTEGER NOT NULL DEFAULT 0,
    updated              INTEGER NOT NULL DEFAULT 0,
    unchanged            INTEGER NOT NULL DEFAULT 0,
    stale                INTEGER NOT NULL DEFAULT 0,
    quarantined          INTEGER NOT NULL DEFAULT 0,
    filtered             INTEGER NOT NULL DEFAULT 0,
    gap                  TEXT,     -- what is missing and why; NULL when nothing is
    record_remarks       TEXT    NOT NULL DEFAULT '[]',
    version              INTEGER NOT NULL DEFAULT 0,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    closed_at            INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_slice_no ON ing_plan_slice (plan_id, slice_no);
CREATE UNIQUE INDEX uk_slice_sig ON ing_plan_slice (plan_id, slice_signature_hash);
CREATE INDEX idx_slice_status ON ing_plan_slice (plan_id, status_code);
CREATE INDEX idx_slice_prov_status ON ing_plan_slice (provenance_code, status_code);
CREATE INDEX idx_slice_range ON ing_plan_slice (provenance_code, endpoint_name, query_hash, window_from);
CREATE INDEX idx_slice_expr ON ing_plan_slice (expr_hash);
CREATE INDEX idx_slice_parent ON ing_plan_slice (parent_slice_id) WHERE parent_slice_id IS NOT NULL;
CREATE INDEX idx_slice_time ON ing_plan_slice (created_at);

CREATE TABLE ing_task (
    id                   INTEGER PRIMARY KEY,
    schedule_instance_id INTEGER NOT NULL,
    plan_id              INTEGER NOT NULL,
    slice_id             INTEGER NOT NULL,
    provenance_code      TEXT    NOT NULL,
    endpoint_name        TEXT    NOT NULL,
    operation_code       TEXT    NOT NULL,
    partition_key        TEXT    NOT NULL
        GENERATED ALWAYS AS (provenance_code || '/' || endpoint_name || '/' || operation_code) VIRTUAL,
    credential_id        TEXT,
    params               TEXT    NOT NULL DEFAULT '{}',
    idempotent_key       TEXT    NOT NULL,
    expr_hash            TEXT    NOT NULL,
    priority             INTEGER NOT NULL,
    status_code          TEXT    NOT NULL DEFAULT 'QUEUED',
    ready                INTEGER NOT NULL DEFAULT 1,  -- 0: parked until scheduled_at, out of the claim's index
    scheduled_at         INTEGER NOT NULL,
    wait_reason          TEXT,                        -- why it is parked, for people
    lease_owner          TEXT,
    leased_until         INTEGER,
    lease_count          INTEGER NOT NULL DEFAULT 0,
    fence                INTEGER NOT NULL DEFAULT 0,  -- raised by every claim, checked by every commit
    last_heartbeat_at    INTEGER,
    retry_count          INTEGER NOT NULL DEFAULT 0,
    last_error_code      TEXT,
    last_error_msg       TEXT,
    started_at           INTEGER,
    finished_at          INTEGER,
    correlation_id       TEXT,
    record_remarks       TEXT    NOT NULL DEFAULT '[]',
    version              INTEGER NOT NULL DEFAULT 0,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_task_idem ON ing_task (idempotent_key);
CREATE UNIQUE INDEX uk_task_slice ON ing_task (slice_id);
-- Only rows that can be claimed now are in here, so a claim never reads past parked or running ones.
CREATE INDEX idx_task_queue ON ing_task (partition_key, priority, scheduled_at, id)
    WHERE status_code = 'QUEUED' AND ready = 1;
CREATE INDEX idx_task_parked ON ing_task (scheduled_at) WHERE status_code = 'QUEUED' AND ready = 0;
CREATE INDEX idx_task_leased ON ing_task (leased_until) WHERE status_code IN ('DISPATCHED', 'EXECUTING');
CREATE INDEX idx_task_owner ON ing_task (lease_owner) WHERE status_code IN ('DISPATCHED', 'EXECUTING');
CREATE INDEX idx_task_running ON ing_task (partition_key) WHERE status_code IN ('DISPATCHED', 'EXECUTING');
CREATE INDEX idx_task_plan ON ing_task (plan_id, status_code);
CREATE INDEX idx_task_src_op ON ing_task (provenance_code, operation_code, status_code);
CREATE INDEX idx_task_time ON ing_task (created_at);

CREATE TABLE ing_task_run (
    id              INTEGER PRIMARY KEY,
    task_id         INTEGER NOT NULL,
    slice_id        INTEGER NOT NULL,
    plan_id         INTEGER NOT NULL,
    attempt_no      INTEGER NOT NULL,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    operation_code  TEXT    NOT NULL,
    fence           INTEGER NOT NULL,
    is_replay       INTEGER NOT NULL DEFAULT 0,
    status_code     TEXT    NOT NULL DEFAULT 'PLANNED',
    checkpoint      TEXT    NOT NULL DEFAULT '{}',
    stats           TEXT    NOT NULL DEFAULT '{}',
    error           TEXT,
    window_from     INTEGER,
    window_to       INTEGER,
    started_at      INTEGER,
    finished_at     INTEGER,
    last_heartbeat  INTEGER,
    correlation_id  TEXT,
    version         INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_run_attempt ON ing_task_run (task_id, attempt_no);
CREATE INDEX idx_run_task ON ing_task_run (task_id, status_code, created_at);
CREATE INDEX idx_run_prov_op_status ON ing_task_run (provenance_code, operation_code, status_code);
CREATE INDEX idx_run_time ON ing_task_run (created_at);

CREATE TABLE ing_task_run_batch (
    id                INTEGER PRIMARY KEY,
    run_id            INTEGER NOT NULL,
    task_id           INTEGER NOT NULL,
    slice_id          INTEGER NOT NULL,
    plan_id           INTEGER NOT NULL,
    expr_hash         TEXT    NOT NULL,
    provenance_code   TEXT    NOT NULL,
    endpoint_name     TEXT    NOT NULL,
    operation_code    TEXT    NOT NULL,
    batch_no          INTEGER NOT NULL,
    page_no           INTEGER,
    page_size         INTEGER,
    before_token      TEXT,
    before_token_hash TEXT,  -- NULL where the token names no position (a scroll handle)
    after_token       TEXT,
    idempotent_key    TEXT    NOT NULL,
    record_count      INTEGER NOT NULL DEFAULT 0,
    status_code       TEXT    NOT NULL DEFAULT 'RUNNING',
    error             TEXT,
    error_level       TEXT,
    request_digest    TEXT,
    response_digest   TEXT,
    stats             TEXT    NOT NULL DEFAULT '{}',
    created_at        INTEGER NOT NULL,
    committed_at      INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_run_batch_no ON ing_task_run_batch (run_id, batch_no);
CREATE UNIQUE INDEX uk_run_before_tok ON ing_task_run_batch (run_id, before_token_hash);
CREATE UNIQUE INDEX uk_batch_idem ON ing_task_run_batch (idempotent_key);
CREATE INDEX idx_batch_time ON ing_task_run_batch (created_at);
CREATE INDEX idx_batch_failed ON ing_task_run_batch (provenance_code, endpoint_name, created_at)
    WHERE status_code = 'FAILED';

CREATE TABLE ing_cursor (
    id                   INTEGER PRIMARY KEY,
    provenance_code      TEXT    NOT NULL,
    endpoint_name        TEXT    NOT NULL,
    operation_code       TEXT    NOT NULL,
    cursor_key           TEXT    NOT NULL,
    namespace_scope_code TEXT    NOT NULL,
    namespace_key        TEXT    NOT NULL,
    cursor_type_code     TEXT    NOT NULL,
    cursor_value         TEXT    NOT NULL,
    observed_max_value   TEXT,
    normalized_instant   INTEGER,
    normalized_numeric   INTEGER,
    schedule_instance_id INTEGER,
    plan_id              INTEGER,
    slice_id             INTEGER,
    task_id              INTEGER,
    last_run_id          INTEGER,
    last_batch_id        INTEGER,
    expr_hash            TEXT,
    version              INTEGER NOT NULL DEFAULT 0,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_cursor_ns ON ing_cursor
    (provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code, namespace_key);
CREATE INDEX idx_cursor_sort_time ON ing_cursor (cursor_type_code, normalized_instant);
CREATE INDEX idx_cursor_sort_id ON ing_cursor (cursor_type_code, normalized_numeric);

CREATE TABLE ing_cursor_event (
    id                   INTEGER PRIMARY KEY,
    provenance_code      TEXT    NOT NULL,
    endpoint_name        TEXT    NOT NULL,
    operation_code       TEXT    NOT NULL,
    cursor_key           TEXT    NOT NULL,
    namespace_scope_code TEXT    NOT NULL,
    namespace_key        TEXT    NOT NULL,
    cursor_type_code     TEXT    NOT NULL,
    direction_code       TEXT    NOT NULL,
    prev_value           TEXT,
    new_value            TEXT    NOT NULL,
    observed_max_value   TEXT,
    prev_instant         INTEGER,
    new_instant          INTEGER,
    prev_numeric         INTEGER,
    new_numeric          INTEGER,
    window_from          INTEGER,
    window_to            INTEGER,
    idempotent_key       TEXT    NOT NULL,
    schedule_instance_id INTEGER,
    plan_id              INTEGER,
    slice_id             INTEGER,
    task_id              INTEGER,
    run_id               INTEGER,
    batch_id             INTEGER,
    expr_hash            TEXT,
    record_remarks       TEXT    NOT NULL DEFAULT '{}',
    created_at           INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_cur_evt_idem ON ing_cursor_event (idempotent_key);
CREATE INDEX idx_cur_evt_timeline ON ing_cursor_event
    (provenance_code, endpoint_name, operation_code, namespace_scope_code, namespace_key, created_at);
CREATE INDEX idx_cur_evt_instant ON ing_cursor_event (provenance_code, operation_code, new_instant);
CREATE INDEX idx_cur_evt_lineage ON ing_cursor_event (plan_id, slice_id, task_id, run_id);
CREATE INDEX idx_cur_evt_time ON ing_cursor_event (created_at);

-- Disjoint stretches of source time that are proven complete for one query (I4, I14). A slice that
-- succeeds merges its window in; the watermark is the end of the stretch it stands in.
CREATE TABLE ing_coverage (
    id              INTEGER PRIMARY KEY,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    query_hash      TEXT    NOT NULL,
    covered_from    INTEGER NOT NULL,
    covered_to      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_coverage ON ing_coverage (provenance_code, endpoint_name, query_hash, covered_from);

CREATE TABLE ing_item (
    id                 INTEGER PRIMARY KEY,
    provenance_code    TEXT    NOT NULL,
    endpoint_name      TEXT    NOT NULL,
    provider_item_id   TEXT    NOT NULL,
    updated_at         INTEGER NOT NULL,
    provider_version   INTEGER NOT NULL DEFAULT 0,
    mapping_generation INTEGER NOT NULL DEFAULT 0,
    fetched_at         INTEGER NOT NULL,
    content_hash       TEXT    NOT NULL,
    fields             TEXT    NOT NULL,
    expr_hash          TEXT    NOT NULL,
    batch_id           INTEGER NOT NULL,
    first_seen_at      INTEGER NOT NULL,
    refreshed_at       INTEGER NOT NULL,
    deleted_at         INTEGER,
    merged_into        TEXT
) STRICT;
CREATE UNIQUE INDEX uk_item ON ing_item (provenance_code, endpoint_name, provider_item_id);
CREATE INDEX idx_item_updated ON ing_item (provenance_code, endpoint_name, updated_at);

-- One zstd frame per response page, secrets stripped: the evidence, and what a changed mapping is
-- applied to without asking the provider again.
CREATE TABLE ing_raw_page (
    batch_id        INTEGER PRIMARY KEY,
    content_type    TEXT    NOT NULL,
    body_size       INTEGER NOT NULL,
    body_sha256     TEXT    NOT NULL,
    body_zstd       BLOB    NOT NULL,
    fetched_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_raw_page_time ON ing_raw_page (fetched_at);

-- What dashboards read instead of millions of batch rows; the batch commit keeps it.
CREATE TABLE ing_batch_rollup (
    minute          INTEGER NOT NULL,  -- start of the minute
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    operation_code  TEXT    NOT NULL,
    status_code     TEXT    NOT NULL,
    batches         INTEGER NOT NULL DEFAULT 0,
    records         INTEGER NOT NULL DEFAULT 0,
    inserted        INTEGER NOT NULL DEFAULT 0,
    updated         INTEGER NOT NULL DEFAULT 0,
    unchanged       INTEGER NOT NULL DEFAULT 0,
    stale           INTEGER NOT NULL DEFAULT 0,
    quarantined     INTEGER NOT NULL DEFAULT 0,
    filtered        INTEGER NOT NULL DEFAULT 0,
    bytes           INTEGER NOT NULL DEFAULT 0,
    latency_ms      INTEGER NOT NULL DEFAULT 0,
    retries         INTEGER NOT NULL DEFAULT 0,
    throttled       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (minute, provenance_code, endpoint_name, operation_code, status_code)
) STRICT, WITHOUT ROWID;
