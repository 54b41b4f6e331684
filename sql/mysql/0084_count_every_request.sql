-- Everything that was sent counts, also for batches that came to nothing, which count as batches from here on.
ALTER TABLE ing_batch_rollup ADD COLUMN requests BIGINT NOT NULL DEFAULT 0;
