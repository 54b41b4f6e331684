-- A source may choose how the waits between the tries of a request grow.
ALTER TABLE reg_prov_retry_cfg ADD COLUMN backoff_policy_type_code LONGTEXT;

UPDATE sys_dict_item SET item_code = 'EXPONENTIAL_JITTER', item_name = 'exponential jitter'
WHERE item_code = 'EXP_JITTER';
UPDATE sys_dict_item SET item_code = 'EXPONENTIAL', item_name = 'exponential'
WHERE item_code = 'EXP' AND type_id = (SELECT id FROM sys_dict_type WHERE type_code = 'backoff_policy_type');
UPDATE sys_dict_item SET item_code = 'DECORRELATED_JITTER', item_name = 'decorrelated jitter'
WHERE item_code = 'DECOR_JITTER';
INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default)
SELECT 1006, id, 'FULL_JITTER', 'full jitter', 50, 0 FROM sys_dict_type WHERE type_code = 'backoff_policy_type';
