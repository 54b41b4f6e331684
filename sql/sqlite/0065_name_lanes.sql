-- Source, endpoint and operation together are a lane: the unit of fairness among tasks. The word "partition" is left
-- to what an endpoint is divided into.
ALTER TABLE ing_task RENAME COLUMN partition_key TO lane_key;
ALTER TABLE ing_queue_day RENAME COLUMN partition_key TO lane_key;
