-- What the planner needs to go on where it stopped, and to update records that no search lists.

-- Where cutting goes on when the order is not that of time: newest first, or by id.
ALTER TABLE ing_plan ADD COLUMN slice_position TEXT;

-- The signals that a plan took, until all of them are in slices.
CREATE INDEX idx_signal_plan ON ing_signal (plan_id, id) WHERE status_code = 'PLANNED';

-- Which endpoint gives records by their ids where searches give whole records.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN linked_refresh_endpoint TEXT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN refresh_batch_size INTEGER;

-- What is planned and not finished: a later plan leaves it alone.
CREATE INDEX idx_slice_open ON ing_plan_slice (provenance_code, endpoint_name, query_hash, window_from)
    WHERE status_code IN ('PENDING', 'READY', 'EXECUTING');

-- The endpoint that is meant where a command names none.
ALTER TABLE reg_provenance ADD COLUMN default_endpoint TEXT;
