-- What self-healing changes for a while, and what it has to remember to see clearly.

-- Overrides of a source's definition: the smaller page, the longer safety lag, fewer requests at the same time,
-- a cursor whose value stands still while its events go on. A row counts until its time is up.
CREATE TABLE ing_adjustment (
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    kind_code       VARBINARY(32)  NOT NULL,  -- PAGE_SIZE, CONCURRENCY, SAFETY_LAG or CURSOR_HOLD
    value           BIGINT         NOT NULL,  -- records, requests, microseconds; 1 for a hold
    reason          LONGBLOB       NOT NULL,
    made_by         LONGTEXT       NOT NULL,
    made_at         BIGINT         NOT NULL,
    until           BIGINT,  -- NULL: until somebody takes it back
    PRIMARY KEY (provenance_code, endpoint_name, kind_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

-- What the executor is asked to do with the slice when it comes to the next end of a batch: RESLICE or FAIL.
ALTER TABLE ing_task ADD COLUMN heal_request VARBINARY(32);
ALTER TABLE ing_task ADD COLUMN heal_reason LONGBLOB;

-- A heartbeat says that the worker lives; this says that it gets on.
ALTER TABLE ing_task ADD COLUMN progress_at BIGINT;
DROP INDEX idx_task_progress ON ing_task;
CREATE INDEX idx_task_progress ON ing_task (status_code, progress_at);

-- Which of the request's parameters the provider complains about.
ALTER TABLE ing_task_run_batch ADD COLUMN wrong_parameter LONGBLOB;

-- How long commits waited for the store, and when the last batch of the minute succeeded.
ALTER TABLE ing_batch_rollup ADD COLUMN store_wait_us BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN last_at BIGINT;

-- The depth of the queue as healing saw it, a row a day: what is usual can be told from it.
CREATE TABLE ing_queue_day (
    partition_key VARBINARY(290) NOT NULL,
    day           BIGINT         NOT NULL,  -- its first moment
    samples       BIGINT         NOT NULL,
    total         BIGINT         NOT NULL,
    squares       BIGINT         NOT NULL,
    PRIMARY KEY (partition_key, day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

-- What one process at a time does for all of them.
CREATE TABLE ing_duty (
    name  VARBINARY(128) NOT NULL PRIMARY KEY,
    owner VARBINARY(255) NOT NULL,
    until BIGINT         NOT NULL  -- nobody else takes it before
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

-- The newest plan of a partition, whose snapshot says how its source is defined.
CREATE INDEX idx_plan_newest ON ing_plan (provenance_code, endpoint_name, operation_code, created_at);
