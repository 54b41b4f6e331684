-- What patra itself allows: of one run of a slice, and of an operation at an endpoint.
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_requests_max INTEGER;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_records_max INTEGER;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_time_millis INTEGER;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_pause_millis INTEGER;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN operation_quota_json TEXT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN open_tasks_max INTEGER;

-- Whose days a quota counts, what is left to harvests, and how far a rate that is a guess may rise.
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN quota_timezone TEXT;
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN urgent_quota_ratio TEXT;
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN urgent_rate_ratio TEXT;
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN ceiling_rate_value TEXT;

-- What an endpoint may spend of quotas that it shares, and in which order keys are used.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN quota_weight INTEGER;
ALTER TABLE reg_prov_credential ADD COLUMN credential_order_code TEXT;
