-- Where an answer has its token, if not in the document, and what the token is to those who send it on.
ALTER TABLE reg_prov_pagination_cfg ADD COLUMN next_header_name LONGTEXT;
ALTER TABLE reg_prov_pagination_cfg ADD COLUMN token_kind_code LONGTEXT;
