-- SKIPPED says that nothing was at a batch's position. What it said until now, that the batch was given back before it took
-- anything in, is GIVEN_BACK.
INSERT INTO sys_dict_item (type_id, item_code, item_name, display_order, is_default)
SELECT type_id, 'GIVEN_BACK', 'given back', 45, 0 FROM sys_dict_item WHERE item_code = 'SKIPPED';
UPDATE ing_task_run_batch SET status_code = 'GIVEN_BACK' WHERE status_code = 'SKIPPED';
