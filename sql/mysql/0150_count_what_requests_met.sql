-- What requests met on their way, per minute: waits for permits and between tries, what the gate did, and the levels of what
-- brought no page.
ALTER TABLE ing_batch_rollup ADD COLUMN wait_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN backoff_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN retry_after BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN slowed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN circuit_opened BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN soft_quota BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN hard_quota BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l1 BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l2 BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l3 BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l4 BIGINT NOT NULL DEFAULT 0;
