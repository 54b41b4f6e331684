-- A rule of `errors` may say that what looks like an error beside records is none.
INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default)
SELECT 1004, type_id, 'PAGE', 'page', 90, 0 FROM sys_dict_item WHERE item_code = 'RESTART_SLICE';
