-- Code for what no key of a definition can say, by name.
ALTER TABLE reg_prov_http_cfg ADD COLUMN request_hook LONGTEXT;
ALTER TABLE reg_prov_response_cfg ADD COLUMN response_hook LONGTEXT;
ALTER TABLE reg_prov_pagination_cfg ADD COLUMN paging_hook LONGTEXT;
