-- An execution waits for a planner (PENDING), its plans are worked at (RUNNING), and it ends: SUCCESS, FAILED, or SKIPPED with the
-- reason. Its log leads to what it planned, and says what that brought.
-- Or MANUAL.
ALTER TABLE scheduler_execution_log ADD COLUMN type_code TEXT NOT NULL DEFAULT 'SCHEDULE';
-- Not before: the planned moment and its jitter.
ALTER TABLE scheduler_execution_log ADD COLUMN start_at INTEGER NOT NULL DEFAULT 0;
-- The planner that is at it.
ALTER TABLE scheduler_execution_log ADD COLUMN taken_by TEXT;
-- When others may take it.
ALTER TABLE scheduler_execution_log ADD COLUMN taken_until INTEGER;
-- Raised by every taking, compared by what its planner writes.
ALTER TABLE scheduler_execution_log ADD COLUMN takes INTEGER NOT NULL DEFAULT 0;
-- When a planner was at its plan last.
ALTER TABLE scheduler_execution_log ADD COLUMN planned_at INTEGER;
ALTER TABLE scheduler_execution_log ADD COLUMN plan_id INTEGER;
-- JSON: earlier plans of which it had something tried again.
ALTER TABLE scheduler_execution_log ADD COLUMN retried_plans TEXT NOT NULL DEFAULT '[]';
-- JSON: what those plans that it did not make had brought before.
ALTER TABLE scheduler_execution_log ADD COLUMN counted_before TEXT NOT NULL DEFAULT '{}';
-- Planners go on with a plan that stopped; else the next firing does.
ALTER TABLE scheduler_execution_log ADD COLUMN takes_rest INTEGER NOT NULL DEFAULT 1;
-- What is said of an execution that did not fail.
ALTER TABLE scheduler_execution_log ADD COLUMN note TEXT;
ALTER TABLE scheduler_execution_log ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduler_execution_log ADD COLUMN inserted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduler_execution_log ADD COLUMN updated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduler_execution_log ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduler_execution_log ADD COLUMN quarantined INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduler_execution_log ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idx_execution_open ON scheduler_execution_log (job_id, status_code) WHERE status_code IN ('PENDING', 'RUNNING');
CREATE INDEX idx_execution_pending ON scheduler_execution_log (start_at) WHERE status_code = 'PENDING';
CREATE INDEX idx_execution_running ON scheduler_execution_log (id) WHERE status_code = 'RUNNING';
CREATE INDEX idx_execution_status ON scheduler_execution_log (status_code, started_at);
