-- Ways of cutting that the dictionary did not have.
INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default) VALUES
    (1001, 4, 'PAGE', 'page', 60, 0),
    (1002, 4, 'ID_HASH', 'id hash', 70, 0),
    (1003, 4, 'SINGLE', 'single', 80, 0);
