-- What keeps a run from going on, by its code, so that the next run need not read what is written for people.
ALTER TABLE ing_task_run ADD COLUMN waits_for_code TEXT;
UPDATE ing_task_run SET waits_for_code = 'BREAKER'
WHERE id IN (SELECT run_id FROM ing_task_run_batch WHERE status_code = 'SKIPPED' AND error = 'BREAKER');
