-- Records that came more often than announced: read again at a seam, or not asked for. They are part of
-- `received` and of its parts; announced = received - repeated.
ALTER TABLE ing_plan_slice ADD COLUMN repeated BIGINT NOT NULL DEFAULT 0;

-- Runs that ended with an error of the provider; giving a task back for other reasons does not count.
ALTER TABLE ing_task ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;

-- What is parked in one partition, and until when.
CREATE INDEX idx_task_parked_part ON ing_task (status_code, ready, partition_key, scheduled_at);
