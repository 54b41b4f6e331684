-- What keeps a run from going on, by its code, so that the next run need not read what is written for people.
ALTER TABLE ing_task_run ADD COLUMN waits_for_code VARBINARY(32);
