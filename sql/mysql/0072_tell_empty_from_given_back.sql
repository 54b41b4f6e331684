-- SKIPPED says that nothing was at a batch's position. What it said until now, that the batch was given back before it took
-- anything in, is GIVEN_BACK.
INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default)
SELECT 1007, type_id, 'GIVEN_BACK', 'given back', 45, 0 FROM sys_dict_item WHERE item_code = 'SKIPPED';
