-- What requests met on their way, per minute: waits for permits and between tries, what the gate did, and the levels of what
-- brought no page.
ALTER TABLE ing_batch_rollup ADD COLUMN wait_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN backoff_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN retry_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN slowed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN circuit_opened INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN soft_quota INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN hard_quota INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l1 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l2 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l3 INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_batch_rollup ADD COLUMN failed_l4 INTEGER NOT NULL DEFAULT 0;
