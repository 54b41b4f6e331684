-- The registry: what is known about each source, versioned by effective date. Rows mirror the blocks of a
-- definition; a level (source, endpoint, operation) that says nothing about a block has no row for it.
--
-- Only what identifies a row is VARBINARY: the other columns go through JSON_OBJECT, which writes bytes as base64.

-- One row per source: who it is.
CREATE TABLE reg_provenance (
    id                    BIGINT         NOT NULL PRIMARY KEY,
    provenance_code       VARBINARY(128) NOT NULL,
    endpoint_name         VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code        VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from        BIGINT         NOT NULL,
    effective_to          BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    provenance_name       LONGTEXT,
    base_url_default      LONGTEXT,
    timezone_default      LONGTEXT,
    docs_url              LONGTEXT,
    is_abstract           BIGINT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current            BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_provenance_version ON reg_provenance
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_provenance_valid ON reg_provenance
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- What an endpoint is asked, what its requests cost and what is kept of its records.
CREATE TABLE reg_prov_endpoint_def (
    id                     BIGINT         NOT NULL PRIMARY KEY,
    provenance_code        VARBINARY(128) NOT NULL,
    endpoint_name          VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code         VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key               VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from         BIGINT         NOT NULL,
    effective_to           BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code  VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    endpoint_usage_code    LONGTEXT,
    http_method_code       LONGTEXT,
    path_template          LONGTEXT,
    default_query_params   LONGTEXT,
    follow_up_query_params LONGTEXT,
    default_headers        LONGTEXT,
    default_body_payload   LONGTEXT,
    default_form_params    LONGTEXT,
    linked_detail_endpoint LONGTEXT,
    request_cost           BIGINT,
    cursor_scope_code      LONGTEXT,
    order_by               LONGTEXT,
    order_direction        LONGTEXT,
    order_stable           BIGINT,
    template_params        LONGTEXT,
    output_fields          LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current             BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_endpoint_def_version ON reg_prov_endpoint_def
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_endpoint_def_valid ON reg_prov_endpoint_def
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How the provider is reached.
CREATE TABLE reg_prov_http_cfg (
    id                      BIGINT         NOT NULL PRIMARY KEY,
    provenance_code         VARBINARY(128) NOT NULL,
    endpoint_name           VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code          VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key                VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from          BIGINT         NOT NULL,
    effective_to            BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code   VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    base_url_override       LONGTEXT,
    allow_http_enabled      BIGINT,
    contact_ref             LONGTEXT,
    default_headers_json    LONGTEXT,
    timeout_connect_millis  BIGINT,
    timeout_read_millis     BIGINT,
    timeout_total_millis    BIGINT,
    redirects_max           BIGINT,
    allowed_hosts_json      LONGTEXT,
    proxy_url_value         LONGTEXT,
    accept_compress_enabled BIGINT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current              BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_http_cfg_version ON reg_prov_http_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_http_cfg_valid ON reg_prov_http_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How a walk goes from page to page.
CREATE TABLE reg_prov_pagination_cfg (
    id                    BIGINT         NOT NULL PRIMARY KEY,
    provenance_code       VARBINARY(128) NOT NULL,
    endpoint_name         VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code        VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from        BIGINT         NOT NULL,
    effective_to          BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    pagination_mode_code  LONGTEXT,
    page_size_value       BIGINT,
    page_size_max         BIGINT,
    start_page_number     BIGINT,
    offset_step_code      LONGTEXT,
    initial_cursor_value  LONGTEXT,
    next_cursor_path      LONGTEXT,
    next_in_link_header   BIGINT,
    token_replayable      BIGINT,
    token_lifetime_millis BIGINT,
    end_rules_json        LONGTEXT,
    has_more_path         LONGTEXT,
    max_pages             BIGINT,
    reach_records         BIGINT,
    split_by_json         LONGTEXT,
    tail_probe            BIGINT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current            BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_pagination_cfg_version ON reg_prov_pagination_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_pagination_cfg_valid ON reg_prov_pagination_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How changes are asked for by time.
CREATE TABLE reg_prov_window_offset_cfg (
    id                       BIGINT         NOT NULL PRIMARY KEY,
    provenance_code          VARBINARY(128) NOT NULL,
    endpoint_name            VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code           VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key                 VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from           BIGINT         NOT NULL,
    effective_to             BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code    VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    watermark_key            LONGTEXT,
    window_filter_code       LONGTEXT,
    window_start             LONGTEXT,
    watermark_lag_millis     BIGINT,
    watermark_lag_max_millis BIGINT,
    window_width             LONGTEXT,
    align_millis             BIGINT,
    lookback_millis          BIGINT,
    granularity_code         LONGTEXT,
    window_ends_code         LONGTEXT,
    updated_is_filtered      BIGINT,
    window_timezone          LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current               BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_window_offset_cfg_version ON reg_prov_window_offset_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_window_offset_cfg_valid ON reg_prov_window_offset_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- Where an answer has what.
CREATE TABLE reg_prov_response_cfg (
    id                    BIGINT         NOT NULL PRIMARY KEY,
    provenance_code       VARBINARY(128) NOT NULL,
    endpoint_name         VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code        VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from        BIGINT         NOT NULL,
    effective_to          BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    response_format_code  LONGTEXT,
    items_path            LONGTEXT,
    envelope_path         LONGTEXT,
    columns_path          LONGTEXT,
    id_path               LONGTEXT,
    updated_at_path       LONGTEXT,
    version_path          LONGTEXT,
    deleted_path          LONGTEXT,
    merged_into_path      LONGTEXT,
    total_count_path      LONGTEXT,
    namespaces_json       LONGTEXT,
    response_timezone     LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current            BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_response_cfg_version ON reg_prov_response_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_response_cfg_valid ON reg_prov_response_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How many ids one request for details takes.
CREATE TABLE reg_prov_batching_cfg (
    id                      BIGINT         NOT NULL PRIMARY KEY,
    provenance_code         VARBINARY(128) NOT NULL,
    endpoint_name           VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code          VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key                VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from          BIGINT         NOT NULL,
    effective_to            BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code   VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    detail_fetch_batch_size BIGINT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current              BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_batching_cfg_version ON reg_prov_batching_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_batching_cfg_valid ON reg_prov_batching_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- What happens after a failure.
CREATE TABLE reg_prov_retry_cfg (
    id                      BIGINT         NOT NULL PRIMARY KEY,
    provenance_code         VARBINARY(128) NOT NULL,
    endpoint_name           VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code          VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key                VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from          BIGINT         NOT NULL,
    effective_to            BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code   VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    max_attempts            BIGINT,
    initial_delay_millis    BIGINT,
    max_delay_millis        BIGINT,
    exp_multiplier_value    DOUBLE,
    jitter_factor_ratio     LONGTEXT,
    retry_http_status_json  LONGTEXT,
    giveup_http_status_json LONGTEXT,
    retry_on_network_error  BIGINT,
    retry_after_cap_millis  BIGINT,
    circuit_break_threshold BIGINT,
    circuit_cooldown_millis BIGINT,
    error_rules_json        LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current              BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_retry_cfg_version ON reg_prov_retry_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_retry_cfg_valid ON reg_prov_retry_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- What the provider allows, one row per limit. Rates are texts such as 1/3s: an integer per second cannot say them.
CREATE TABLE reg_prov_rate_limit_cfg (
    id                            BIGINT         NOT NULL PRIMARY KEY,
    provenance_code               VARBINARY(128) NOT NULL,
    endpoint_name                 VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code                VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key                      VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from                BIGINT         NOT NULL,
    effective_to                  BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code         VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    rate_value                    LONGTEXT,
    burst_bucket_capacity         BIGINT,
    max_concurrent_requests       BIGINT,
    quota_json                    LONGTEXT,
    quota_reserve_ratio           LONGTEXT,
    bucket_granularity_scope_code LONGTEXT,
    learn_from_headers_json       LONGTEXT,
    slow_down_factor              DOUBLE,
    rate_min_per_second           DOUBLE,
    warm_up_millis                BIGINT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current                    BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_rate_limit_cfg_version ON reg_prov_rate_limit_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_rate_limit_cfg_valid ON reg_prov_rate_limit_cfg
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How the provider knows who asks: references, never the secrets themselves.
CREATE TABLE reg_prov_credential (
    id                          BIGINT         NOT NULL PRIMARY KEY,
    provenance_code             VARBINARY(128) NOT NULL,
    endpoint_name               VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code              VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key                    VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from              BIGINT         NOT NULL,
    effective_to                BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code       VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    auth_type                   LONGTEXT,
    is_auth_required            BIGINT,
    inbound_location_code       LONGTEXT,
    credential_field_name       LONGTEXT,
    credential_value_prefix     LONGTEXT,
    credential_value_refs       LONGTEXT,
    basic_username_ref          LONGTEXT,
    basic_password_ref          LONGTEXT,
    oauth_token_url             LONGTEXT,
    oauth_client_id_ref         LONGTEXT,
    oauth_client_secret_ref     LONGTEXT,
    oauth_scope                 LONGTEXT,
    oauth_audience              LONGTEXT,
    oauth_refresh_before_millis BIGINT,
    signing_hook                LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current                  BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_credential_version ON reg_prov_credential
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_credential_valid ON reg_prov_credential
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- Standard parameter names and the provider's own.
CREATE TABLE reg_prov_api_param_map (
    id                    BIGINT         NOT NULL PRIMARY KEY,
    provenance_code       VARBINARY(128) NOT NULL,
    endpoint_name         VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code        VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from        BIGINT         NOT NULL,
    effective_to          BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    provider_param_name   LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current            BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_api_param_map_version ON reg_prov_api_param_map
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_api_param_map_valid ON reg_prov_api_param_map
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How conditions are combined.
CREATE TABLE reg_prov_expr_capability (
    id                    BIGINT         NOT NULL PRIMARY KEY,
    provenance_code       VARBINARY(128) NOT NULL,
    endpoint_name         VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code        VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from        BIGINT         NOT NULL,
    effective_to          BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    and_joiner            LONGTEXT,
    or_joiner             LONGTEXT,
    not_prefix            LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current            BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_expr_capability_version ON reg_prov_expr_capability
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_expr_capability_valid ON reg_prov_expr_capability
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- How a condition on a field is written; item_key is FIELD/OPERATOR.
CREATE TABLE reg_prov_expr_render_rule (
    id                    BIGINT         NOT NULL PRIMARY KEY,
    provenance_code       VARBINARY(128) NOT NULL,
    endpoint_name         VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': all of the source's
    operation_code        VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              VARBINARY(255) NOT NULL DEFAULT '',  -- where a level has several rows
    effective_from        BIGINT         NOT NULL,
    effective_to          BIGINT,  -- [from, to); NULL: still valid
    lifecycle_status_code VARBINARY(32)  NOT NULL DEFAULT 'ACTIVE',
    template              LONGTEXT,
    is_negatable          BIGINT,
    in_max_size           BIGINT,
    joiner                LONGTEXT,
    param_name            LONGTEXT,
    -- 1 or NULL, for the index below: one version is valid.
    is_current            BIGINT GENERATED ALWAYS AS (CASE WHEN effective_to IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_reg_prov_expr_render_rule_version ON reg_prov_expr_render_rule
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_expr_render_rule_valid ON reg_prov_expr_render_rule
    (provenance_code, endpoint_name, operation_code, item_key, is_current);

-- The fields that a query of any source may speak of.
CREATE TABLE reg_expr_field_dict (
    field_key        VARBINARY(255) NOT NULL PRIMARY KEY,
    display_name     LONGTEXT       NOT NULL,
    data_type_code   VARBINARY(32)  NOT NULL,
    cardinality_code VARBINARY(32)  NOT NULL DEFAULT 'SINGLE',
    exposable        BIGINT         NOT NULL DEFAULT 1
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
INSERT INTO reg_expr_field_dict (field_key, display_name, data_type_code, cardinality_code) VALUES
    ('title', 'Title', 'TEXT', 'SINGLE'),
    ('author', 'Author', 'TEXT', 'MULTI'),
    ('journal', 'Journal', 'TEXT', 'SINGLE'),
    ('mesh', 'MeSH heading', 'KEYWORD', 'MULTI'),
    ('type', 'Type of publication', 'KEYWORD', 'SINGLE'),
    ('updated_at', 'Time of the last change', 'DATETIME', 'SINGLE'),
    ('published_at', 'Date of publication', 'DATE', 'SINGLE');
