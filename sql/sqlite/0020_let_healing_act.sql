-- What self-healing changes for a while, and what it has to remember to see clearly.

-- Overrides of a source's definition: the smaller page, the longer safety lag, fewer requests at the same time,
-- a cursor whose value stands still while its events go on. A row counts until its time is up.
CREATE TABLE ing_adjustment (
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    kind_code       TEXT    NOT NULL,  -- PAGE_SIZE, CONCURRENCY, SAFETY_LAG or CURSOR_HOLD
    value           INTEGER NOT NULL,  -- records, requests, microseconds; 1 for a hold
    reason          TEXT    NOT NULL,
    made_by         TEXT    NOT NULL,
    made_at         INTEGER NOT NULL,
    until           INTEGER,           -- NULL: until somebody takes it back
    PRIMARY KEY (provenance_code, endpoint_name, kind_code)
) STRICT, WITHOUT ROWID;

-- What the executor is asked to do with the slice when it comes to the next end of a batch.
ALTER TABLE ing_task ADD COLUMN heal_request TEXT;  -- RESLICE or FAIL
ALTER TABLE ing_task ADD COLUMN heal_reason TEXT;

-- A heartbeat says that the worker lives; this says that it gets on.
ALTER TABLE ing_task ADD COLUMN progress_at INTEGER;
UPDATE ing_task SET progress_at = last_heartbeat_at WHERE status_code = 'EXECUTING';
DROP INDEX idx_task_progress;
CREATE INDEX idx_task_progress ON ing_task (progress_at) WHERE status_code = 'EXECUTING';

-- Which of the request's parameters the provider complains about.
ALTER TABLE ing_task_run_batch ADD COLUMN wrong_parameter TEXT;

-- How long commits waited for the store, and when the last batch of the minute succeeded.
ALTER TABLE ing_batch_rollup ADD COLUMN store_wait_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN last_at INTEGER;

-- The depth of the queue as healing saw it, a row a day: what is usual can be told from it.
CREATE TABLE ing_queue_day (
    partition_key TEXT    NOT NULL,
    day           INTEGER NOT NULL,  -- its first moment
    samples       INTEGER NOT NULL,
    total         INTEGER NOT NULL,
    squares       INTEGER NOT NULL,
    PRIMARY KEY (partition_key, day)
) STRICT, WITHOUT ROWID;

-- What one process at a time does for all of them.
CREATE TABLE ing_duty (
    name  TEXT    NOT NULL PRIMARY KEY,
    owner TEXT    NOT NULL,
    until INTEGER NOT NULL  -- nobody else takes it before
) STRICT, WITHOUT ROWID;

-- The newest plan of a partition, whose snapshot says how its source is defined.
CREATE INDEX idx_plan_newest ON ing_plan (provenance_code, endpoint_name, operation_code, created_at);
