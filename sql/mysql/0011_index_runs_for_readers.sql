-- People look for the last run of an endpoint and for the runs of a plan, and set cursors by hand.
CREATE INDEX idx_run_endpoint ON ing_task_run (provenance_code, endpoint_name);
CREATE INDEX idx_run_plan ON ing_task_run (plan_id);

INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default)
SELECT 181, id, 'MANUAL', 'manual', 30, 0 FROM sys_dict_type WHERE type_code = 'ing_cursor_direction';
