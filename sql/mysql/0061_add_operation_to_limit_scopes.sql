-- A limit may count the requests of one operation at one endpoint: a pace that a command asks for.
INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default)
SELECT 1005, id, 'OPERATION', 'operation', 90, 0 FROM sys_dict_type WHERE type_code = 'bucket_granularity_scope';
