-- The ledger: what was planned, what ran, what each request brought, and how far the source is proven
-- complete. Times are UTC microseconds since 1970; hashes are lower-case hex; JSON is text.
--
-- What is compared, joined or indexed is VARBINARY: collations take ids for equal that differ in case or in blanks at
-- their end. Texts are LONGTEXT, and JSON is too, since the type JSON changes what it is given. What may hold bytes as a
-- provider sent them is LONGBLOB: a text column would refuse the row for one byte that is no UTF-8.
--
-- There are no partial indexes here. Columns that a condition compares stand in front of those that are looked for.

CREATE TABLE ing_schedule_instance (
    id                BIGINT         NOT NULL PRIMARY KEY,
    scheduler_code    VARBINARY(32)  NOT NULL DEFAULT 'INTERNAL',
    scheduler_job_id  VARBINARY(255),
    scheduler_log_id  VARBINARY(255),
    trigger_type_code VARBINARY(32)  NOT NULL,
    triggered_at      BIGINT         NOT NULL,
    trigger_params    LONGTEXT       NOT NULL DEFAULT ('{}'),
    provenance_code   VARBINARY(128) NOT NULL,
    endpoint_name     VARBINARY(128),
    operation_code    VARBINARY(32)  NOT NULL,
    record_remarks    LONGTEXT       NOT NULL DEFAULT ('[]'),
    version           BIGINT         NOT NULL DEFAULT 0,
    created_at        BIGINT         NOT NULL,
    updated_at        BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_sched_src ON ing_schedule_instance (scheduler_code, scheduler_job_id, scheduler_log_id);
CREATE INDEX idx_sched_time ON ing_schedule_instance (triggered_at);

CREATE TABLE ing_plan (
    id                         BIGINT         NOT NULL PRIMARY KEY,
    schedule_instance_id       BIGINT         NOT NULL,
    plan_key                   VARBINARY(512) NOT NULL,
    provenance_code            VARBINARY(128) NOT NULL,
    endpoint_name              VARBINARY(128) NOT NULL,
    operation_code             VARBINARY(32)  NOT NULL,
    query_hash                 VARBINARY(64)  NOT NULL,
    namespace_scope_code       VARBINARY(32)  NOT NULL,
    namespace_key              VARBINARY(255) NOT NULL,
    cursor_key                 VARBINARY(255) NOT NULL,
    expr_proto_hash            VARBINARY(64)  NOT NULL,
    expr_proto_snapshot        LONGTEXT       NOT NULL,
    provenance_config_snapshot LONGTEXT       NOT NULL,
    provenance_config_hash     VARBINARY(64)  NOT NULL,
    spec_fingerprint           VARBINARY(64)  NOT NULL,
    slice_strategy_code        VARBINARY(32)  NOT NULL,
    slice_params               LONGTEXT       NOT NULL DEFAULT ('{}'),
    window_from                BIGINT,
    window_to                  BIGINT,
    sliced_to                  BIGINT,  -- what lies beyond is not cut yet, and counts as unfinished
    priority                   BIGINT         NOT NULL,
    status_code                VARBINARY(32)  NOT NULL DEFAULT 'DRAFT',
    record_remarks             LONGTEXT       NOT NULL DEFAULT ('{}'),
    version                    BIGINT         NOT NULL DEFAULT 0,
    created_at                 BIGINT         NOT NULL,
    updated_at                 BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
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
    id                   BIGINT         NOT NULL PRIMARY KEY,
    plan_id              BIGINT         NOT NULL,
    parent_slice_id      BIGINT,
    provenance_code      VARBINARY(128) NOT NULL,
    endpoint_name        VARBINARY(128) NOT NULL,
    operation_code       VARBINARY(32)  NOT NULL,
    query_hash           VARBINARY(64)  NOT NULL,
    slice_no             BIGINT         NOT NULL,
    slice_signature_hash VARBINARY(64)  NOT NULL,
    slice_spec           LONGTEXT       NOT NULL,
    window_from          BIGINT,
    window_to            BIGINT,
    expr_hash            VARBINARY(64)  NOT NULL,
    expr_snapshot        LONGTEXT       NOT NULL,
    status_code          VARBINARY(32)  NOT NULL DEFAULT 'PENDING',
    -- I14: announced = received = inserted + updated + unchanged + stale + quarantined + filtered
    announced            BIGINT,  -- NULL where the source announces no total
    received             BIGINT         NOT NULL DEFAULT 0,
    inserted             BIGINT         NOT NULL DEFAULT 0,
    updated              BIGINT         NOT NULL DEFAULT 0,
    unchanged            BIGINT         NOT NULL DEFAULT 0,
    stale                BIGINT         NOT NULL DEFAULT 0,
    quarantined          BIGINT         NOT NULL DEFAULT 0,
    filtered             BIGINT         NOT NULL DEFAULT 0,
    gap                  LONGBLOB,  -- what is missing and why; NULL when nothing is
    record_remarks       LONGTEXT       NOT NULL DEFAULT ('[]'),
    version              BIGINT         NOT NULL DEFAULT 0,
    created_at           BIGINT         NOT NULL,
    updated_at           BIGINT         NOT NULL,
    closed_at            BIGINT
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_slice_no ON ing_plan_slice (plan_id, slice_no);
CREATE UNIQUE INDEX uk_slice_sig ON ing_plan_slice (plan_id, slice_signature_hash);
CREATE INDEX idx_slice_status ON ing_plan_slice (plan_id, status_code);
CREATE INDEX idx_slice_prov_status ON ing_plan_slice (provenance_code, status_code);
CREATE INDEX idx_slice_range ON ing_plan_slice (provenance_code, endpoint_name, query_hash, window_from);
CREATE INDEX idx_slice_expr ON ing_plan_slice (expr_hash);
CREATE INDEX idx_slice_parent ON ing_plan_slice (parent_slice_id);
CREATE INDEX idx_slice_time ON ing_plan_slice (created_at);

CREATE TABLE ing_task (
    id                   BIGINT         NOT NULL PRIMARY KEY,
    schedule_instance_id BIGINT         NOT NULL,
    plan_id              BIGINT         NOT NULL,
    slice_id             BIGINT         NOT NULL,
    provenance_code      VARBINARY(128) NOT NULL,
    endpoint_name        VARBINARY(128) NOT NULL,
    operation_code       VARBINARY(32)  NOT NULL,
    partition_key        VARBINARY(290)
        GENERATED ALWAYS AS (CONCAT(provenance_code, '/', endpoint_name, '/', operation_code)) VIRTUAL,
    credential_id        VARBINARY(255),
    params               LONGTEXT       NOT NULL DEFAULT ('{}'),
    idempotent_key       VARBINARY(64)  NOT NULL,
    expr_hash            VARBINARY(64)  NOT NULL,
    priority             BIGINT         NOT NULL,
    status_code          VARBINARY(32)  NOT NULL DEFAULT 'QUEUED',
    ready                BIGINT         NOT NULL DEFAULT 1,  -- 0: parked until scheduled_at
    scheduled_at         BIGINT         NOT NULL,
    wait_reason          LONGTEXT,  -- why it is parked, for people
    lease_owner          VARBINARY(255),
    leased_until         BIGINT,
    lease_count          BIGINT         NOT NULL DEFAULT 0,
    fence                BIGINT         NOT NULL DEFAULT 0,  -- raised by every claim, checked by every commit
    last_heartbeat_at    BIGINT,
    retry_count          BIGINT         NOT NULL DEFAULT 0,
    last_error_code      VARBINARY(64),
    last_error_msg       LONGBLOB,
    started_at           BIGINT,
    finished_at          BIGINT,
    correlation_id       VARBINARY(255),
    record_remarks       LONGTEXT       NOT NULL DEFAULT ('[]'),
    version              BIGINT         NOT NULL DEFAULT 0,
    created_at           BIGINT         NOT NULL,
    updated_at           BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_task_idem ON ing_task (idempotent_key);
CREATE UNIQUE INDEX uk_task_slice ON ing_task (slice_id);
-- Rows that can be claimed now stand together, so a claim never reads past parked or running ones.
CREATE INDEX idx_task_queue ON ing_task (status_code, ready, partition_key, priority, scheduled_at, id);
CREATE INDEX idx_task_parked ON ing_task (status_code, ready, scheduled_at);
CREATE INDEX idx_task_leased ON ing_task (status_code, leased_until);
CREATE INDEX idx_task_owner ON ing_task (status_code, lease_owner);
CREATE INDEX idx_task_running ON ing_task (status_code, partition_key);
CREATE INDEX idx_task_plan ON ing_task (plan_id, status_code);
CREATE INDEX idx_task_src_op ON ing_task (provenance_code, operation_code, status_code);
CREATE INDEX idx_task_time ON ing_task (created_at);

CREATE TABLE ing_task_run (
    id              BIGINT         NOT NULL PRIMARY KEY,
    task_id         BIGINT         NOT NULL,
    slice_id        BIGINT         NOT NULL,
    plan_id         BIGINT         NOT NULL,
    attempt_no      BIGINT         NOT NULL,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    operation_code  VARBINARY(32)  NOT NULL,
    fence           BIGINT         NOT NULL,
    is_replay       BIGINT         NOT NULL DEFAULT 0,
    status_code     VARBINARY(32)  NOT NULL DEFAULT 'PLANNED',
    checkpoint      LONGTEXT       NOT NULL DEFAULT ('{}'),
    stats           LONGTEXT       NOT NULL DEFAULT ('{}'),
    error           LONGBLOB,
    window_from     BIGINT,
    window_to       BIGINT,
    started_at      BIGINT,
    finished_at     BIGINT,
    last_heartbeat  BIGINT,
    correlation_id  VARBINARY(255),
    version         BIGINT         NOT NULL DEFAULT 0,
    created_at      BIGINT         NOT NULL,
    updated_at      BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_run_attempt ON ing_task_run (task_id, attempt_no);
CREATE INDEX idx_run_task ON ing_task_run (task_id, status_code, created_at);
CREATE INDEX idx_run_prov_op_status ON ing_task_run (provenance_code, operation_code, status_code);
CREATE INDEX idx_run_time ON ing_task_run (created_at);

CREATE TABLE ing_task_run_batch (
    id                BIGINT         NOT NULL PRIMARY KEY,
    run_id            BIGINT         NOT NULL,
    task_id           BIGINT         NOT NULL,
    slice_id          BIGINT         NOT NULL,
    plan_id           BIGINT         NOT NULL,
    expr_hash         VARBINARY(64)  NOT NULL,
    provenance_code   VARBINARY(128) NOT NULL,
    endpoint_name     VARBINARY(128) NOT NULL,
    operation_code    VARBINARY(32)  NOT NULL,
    batch_no          BIGINT         NOT NULL,
    page_no           BIGINT,
    page_size         BIGINT,
    before_token      LONGBLOB,
    before_token_hash VARBINARY(64),  -- NULL where the token names no position (a scroll handle)
    after_token       LONGBLOB,
    idempotent_key    VARBINARY(64)  NOT NULL,
    record_count      BIGINT         NOT NULL DEFAULT 0,
    status_code       VARBINARY(32)  NOT NULL DEFAULT 'RUNNING',
    error             LONGBLOB,
    error_level       VARBINARY(32),
    request_digest    LONGBLOB,
    response_digest   LONGBLOB,
    stats             LONGTEXT       NOT NULL DEFAULT ('{}'),
    created_at        BIGINT         NOT NULL,
    committed_at      BIGINT
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_run_batch_no ON ing_task_run_batch (run_id, batch_no);
CREATE UNIQUE INDEX uk_run_before_tok ON ing_task_run_batch (run_id, before_token_hash);
CREATE UNIQUE INDEX uk_batch_idem ON ing_task_run_batch (idempotent_key);
CREATE INDEX idx_batch_time ON ing_task_run_batch (created_at);
CREATE INDEX idx_batch_failed ON ing_task_run_batch (status_code, provenance_code, endpoint_name, created_at);

CREATE TABLE ing_cursor (
    id                   BIGINT         NOT NULL PRIMARY KEY,
    provenance_code      VARBINARY(128) NOT NULL,
    endpoint_name        VARBINARY(128) NOT NULL,
    operation_code       VARBINARY(32)  NOT NULL,
    cursor_key           VARBINARY(255) NOT NULL,
    namespace_scope_code VARBINARY(32)  NOT NULL,
    namespace_key        VARBINARY(255) NOT NULL,
    cursor_type_code     VARBINARY(32)  NOT NULL,
    cursor_value         LONGTEXT       NOT NULL,
    observed_max_value   LONGTEXT,
    normalized_instant   BIGINT,
    normalized_numeric   BIGINT,
    schedule_instance_id BIGINT,
    plan_id              BIGINT,
    slice_id             BIGINT,
    task_id              BIGINT,
    last_run_id          BIGINT,
    last_batch_id        BIGINT,
    expr_hash            VARBINARY(64),
    version              BIGINT         NOT NULL DEFAULT 0,
    created_at           BIGINT         NOT NULL,
    updated_at           BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_cursor_ns ON ing_cursor
    (provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code, namespace_key);
CREATE INDEX idx_cursor_sort_time ON ing_cursor (cursor_type_code, normalized_instant);
CREATE INDEX idx_cursor_sort_id ON ing_cursor (cursor_type_code, normalized_numeric);

CREATE TABLE ing_cursor_event (
    id                   BIGINT         NOT NULL PRIMARY KEY,
    provenance_code      VARBINARY(128) NOT NULL,
    endpoint_name        VARBINARY(128) NOT NULL,
    operation_code       VARBINARY(32)  NOT NULL,
    cursor_key           VARBINARY(255) NOT NULL,
    namespace_scope_code VARBINARY(32)  NOT NULL,
    namespace_key        VARBINARY(255) NOT NULL,
    cursor_type_code     VARBINARY(32)  NOT NULL,
    direction_code       VARBINARY(32)  NOT NULL,
    prev_value           LONGTEXT,
    new_value            LONGTEXT       NOT NULL,
    observed_max_value   LONGTEXT,
    prev_instant         BIGINT,
    new_instant          BIGINT,
    prev_numeric         BIGINT,
    new_numeric          BIGINT,
    window_from          BIGINT,
    window_to            BIGINT,
    idempotent_key       VARBINARY(64)  NOT NULL,
    schedule_instance_id BIGINT,
    plan_id              BIGINT,
    slice_id             BIGINT,
    task_id              BIGINT,
    run_id               BIGINT,
    batch_id             BIGINT,
    expr_hash            VARBINARY(64),
    record_remarks       LONGTEXT       NOT NULL DEFAULT ('{}'),
    created_at           BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_cur_evt_idem ON ing_cursor_event (idempotent_key);
CREATE INDEX idx_cur_evt_timeline ON ing_cursor_event
    (provenance_code, endpoint_name, operation_code, namespace_scope_code, namespace_key, created_at);
CREATE INDEX idx_cur_evt_instant ON ing_cursor_event (provenance_code, operation_code, new_instant);
CREATE INDEX idx_cur_evt_lineage ON ing_cursor_event (plan_id, slice_id, task_id, run_id);
CREATE INDEX idx_cur_evt_time ON ing_cursor_event (created_at);

-- Disjoint stretches of source time that are proven complete for one query (I4, I14). A slice that
-- succeeds merges its window in; the watermark is the end of the stretch it stands in.
CREATE TABLE ing_coverage (
    id              BIGINT         NOT NULL PRIMARY KEY,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    query_hash      VARBINARY(64)  NOT NULL,
    covered_from    BIGINT         NOT NULL,
    covered_to      BIGINT         NOT NULL,
    updated_at      BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_coverage ON ing_coverage (provenance_code, endpoint_name, query_hash, covered_from);

CREATE TABLE ing_item (
    id                 BIGINT          NOT NULL PRIMARY KEY,
    provenance_code    VARBINARY(128)  NOT NULL,
    endpoint_name      VARBINARY(128)  NOT NULL,
    provider_item_id   VARBINARY(2000) NOT NULL,
    updated_at         BIGINT          NOT NULL,
    provider_version   BIGINT          NOT NULL DEFAULT 0,
    mapping_generation BIGINT          NOT NULL DEFAULT 0,
    fetched_at         BIGINT          NOT NULL,
    content_hash       VARBINARY(64)   NOT NULL,
    fields             LONGTEXT        NOT NULL,
    expr_hash          VARBINARY(64)   NOT NULL,
    batch_id           BIGINT          NOT NULL,
    first_seen_at      BIGINT          NOT NULL,
    refreshed_at       BIGINT          NOT NULL,
    deleted_at         BIGINT,
    merged_into        VARBINARY(2000)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_item ON ing_item (provenance_code, endpoint_name, provider_item_id);
CREATE INDEX idx_item_updated ON ing_item (provenance_code, endpoint_name, updated_at);

-- One zstd frame per response page, secrets stripped: the evidence, and what a changed mapping is
-- applied to without asking the provider again.
CREATE TABLE ing_raw_page (
    batch_id     BIGINT        NOT NULL PRIMARY KEY,
    content_type LONGBLOB      NOT NULL,
    body_size    BIGINT        NOT NULL,
    body_sha256  VARBINARY(64) NOT NULL,
    body_zstd    LONGBLOB      NOT NULL,
    fetched_at   BIGINT        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_raw_page_time ON ing_raw_page (fetched_at);

-- What dashboards read instead of millions of batch rows; the batch commit keeps it.
CREATE TABLE ing_batch_rollup (
    minute          BIGINT         NOT NULL,  -- start of the minute
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    operation_code  VARBINARY(32)  NOT NULL,
    status_code     VARBINARY(32)  NOT NULL,
    batches         BIGINT         NOT NULL DEFAULT 0,
    records         BIGINT         NOT NULL DEFAULT 0,
    inserted        BIGINT         NOT NULL DEFAULT 0,
    updated         BIGINT         NOT NULL DEFAULT 0,
    unchanged       BIGINT         NOT NULL DEFAULT 0,
    stale           BIGINT         NOT NULL DEFAULT 0,
    quarantined     BIGINT         NOT NULL DEFAULT 0,
    filtered        BIGINT         NOT NULL DEFAULT 0,
    bytes           BIGINT         NOT NULL DEFAULT 0,
    latency_ms      BIGINT         NOT NULL DEFAULT 0,
    retries         BIGINT         NOT NULL DEFAULT 0,
    throttled       BIGINT         NOT NULL DEFAULT 0,
    PRIMARY KEY (minute, provenance_code, endpoint_name, operation_code, status_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
