-- What a job asks for besides its arguments, what becomes of firings that it missed, how far its starts are spread, why it is
-- disabled, and who decided so.
-- What is asked for, in the provider's own syntax.
ALTER TABLE scheduler_job_config ADD COLUMN query LONGTEXT;
-- ONCE or SKIP: what becomes of firings that were missed.
ALTER TABLE scheduler_job_config ADD COLUMN misfire_code VARBINARY(16) NOT NULL DEFAULT 'ONCE';
-- How far starts are spread.
ALTER TABLE scheduler_job_config ADD COLUMN jitter_us BIGINT NOT NULL DEFAULT 0;
-- Why it does not fire.
ALTER TABLE scheduler_job_config ADD COLUMN disabled_reason LONGBLOB;
-- DEFAULT, FILE or PERSON: where it comes from.
ALTER TABLE scheduler_job_config ADD COLUMN origin_code VARBINARY(16) NOT NULL DEFAULT 'PERSON';
-- A person chose whether it is enabled.
ALTER TABLE scheduler_job_config ADD COLUMN decided BIGINT NOT NULL DEFAULT 0;
-- A default that a person removed, and that stays away.
ALTER TABLE scheduler_job_config ADD COLUMN removed_at BIGINT;
