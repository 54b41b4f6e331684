-- What the planner needs to go on where it stopped, and to update records that no search lists.

-- Where cutting goes on when the order is not that of time: newest first, or by id.
ALTER TABLE ing_plan ADD COLUMN slice_position LONGBLOB;

-- The signals that a plan took, until all of them are in slices.
CREATE INDEX idx_signal_plan ON ing_signal (status_code, plan_id, id);

-- Which endpoint gives records by their ids where searches give whole records.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN linked_refresh_endpoint LONGTEXT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN refresh_batch_size BIGINT;

-- What is planned and not finished: a later plan leaves it alone.
CREATE INDEX idx_slice_open ON ing_plan_slice (status_code, provenance_code, endpoint_name, query_hash, window_from);

-- The endpoint that is meant where a command names none.
ALTER TABLE reg_provenance ADD COLUMN default_endpoint LONGTEXT;
