-- The registry: what is known about each source, versioned by effective date. Rows mirror the blocks of a
-- definition; a level (source, endpoint, operation) that says nothing about a block has no row for it.

-- One row per source: who it is.
CREATE TABLE reg_provenance (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    provenance_name       TEXT,
    base_url_default      TEXT,
    timezone_default      TEXT,
    docs_url              TEXT,
    is_abstract           INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_reg_provenance_version ON reg_provenance
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_provenance_valid ON reg_provenance
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- What an endpoint is asked, what its requests cost and what is kept of its records.
CREATE TABLE reg_prov_endpoint_def (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    endpoint_usage_code    TEXT,
    http_method_code       TEXT,
    path_template          TEXT,
    default_query_params   TEXT,
    follow_up_query_params TEXT,
    default_headers        TEXT,
    default_body_payload   TEXT,
    default_form_params    TEXT,
    linked_detail_endpoint TEXT,
    request_cost           INTEGER,
    cursor_scope_code      TEXT,
    order_by               TEXT,
    order_direction        TEXT,
    order_stable           INTEGER,
    template_params        TEXT,
    output_fields          TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_endpoint_def_version ON reg_prov_endpoint_def
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_endpoint_def_valid ON reg_prov_endpoint_def
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How the provider is reached.
CREATE TABLE reg_prov_http_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    base_url_override       TEXT,
    allow_http_enabled      INTEGER,
    contact_ref             TEXT,
    default_headers_json    TEXT,
    timeout_connect_millis  INTEGER,
    timeout_read_millis     INTEGER,
    timeout_total_millis    INTEGER,
    redirects_max           INTEGER,
    allowed_hosts_json      TEXT,
    proxy_url_value         TEXT,
    accept_compress_enabled INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_http_cfg_version ON reg_prov_http_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_http_cfg_valid ON reg_prov_http_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How a walk goes from page to page.
CREATE TABLE reg_prov_pagination_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    pagination_mode_code  TEXT,
    page_size_value       INTEGER,
    page_size_max         INTEGER,
    start_page_number     INTEGER,
    offset_step_code      TEXT,
    initial_cursor_value  TEXT,
    next_cursor_path      TEXT,
    next_in_link_header   INTEGER,
    token_replayable      INTEGER,
    token_lifetime_millis INTEGER,
    end_rules_json        TEXT,
    has_more_path         TEXT,
    max_pages             INTEGER,
    reach_records         INTEGER,
    split_by_json         TEXT,
    tail_probe            INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_pagination_cfg_version ON reg_prov_pagination_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_pagination_cfg_valid ON reg_prov_pagination_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How changes are asked for by time.
CREATE TABLE reg_prov_window_offset_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    watermark_key            TEXT,
    window_filter_code       TEXT,
    window_start             TEXT,
    watermark_lag_millis     INTEGER,
    watermark_lag_max_millis INTEGER,
    window_width             TEXT,
    align_millis             INTEGER,
    lookback_millis          INTEGER,
    granularity_code         TEXT,
    window_ends_code         TEXT,
    updated_is_filtered      INTEGER,
    window_timezone          TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_window_offset_cfg_version ON reg_prov_window_offset_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_window_offset_cfg_valid ON reg_prov_window_offset_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- Where an answer has what.
CREATE TABLE reg_prov_response_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    response_format_code  TEXT,
    items_path            TEXT,
    envelope_path         TEXT,
    columns_path          TEXT,
    id_path               TEXT,
    updated_at_path       TEXT,
    version_path          TEXT,
    deleted_path          TEXT,
    merged_into_path      TEXT,
    total_count_path      TEXT,
    namespaces_json       TEXT,
    response_timezone     TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_response_cfg_version ON reg_prov_response_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_response_cfg_valid ON reg_prov_response_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How many ids one request for details takes.
CREATE TABLE reg_prov_batching_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    detail_fetch_batch_size INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_batching_cfg_version ON reg_prov_batching_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_batching_cfg_valid ON reg_prov_batching_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- What happens after a failure.
CREATE TABLE reg_prov_retry_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    max_attempts            INTEGER,
    initial_delay_millis    INTEGER,
    max_delay_millis        INTEGER,
    exp_multiplier_value    REAL,
    jitter_factor_ratio     TEXT,
    retry_http_status_json  TEXT,
    giveup_http_status_json TEXT,
    retry_on_network_error  INTEGER,
    retry_after_cap_millis  INTEGER,
    circuit_break_threshold INTEGER,
    circuit_cooldown_millis INTEGER,
    error_rules_json        TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_retry_cfg_version ON reg_prov_retry_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_retry_cfg_valid ON reg_prov_retry_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- What the provider allows, one row per limit. Rates are texts such as 1/3s: an integer per second cannot say them.
CREATE TABLE reg_prov_rate_limit_cfg (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    rate_value                    TEXT,
    burst_bucket_capacity         INTEGER,
    max_concurrent_requests       INTEGER,
    quota_json                    TEXT,
    quota_reserve_ratio           TEXT,
    bucket_granularity_scope_code TEXT,
    learn_from_headers_json       TEXT,
    slow_down_factor              REAL,
    rate_min_per_second           REAL,
    warm_up_millis                INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_rate_limit_cfg_version ON reg_prov_rate_limit_cfg
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_rate_limit_cfg_valid ON reg_prov_rate_limit_cfg
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How the provider knows who asks: references, never the secrets themselves.
CREATE TABLE reg_prov_credential (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    auth_type                   TEXT,
    is_auth_required            INTEGER,
    inbound_location_code       TEXT,
    credential_field_name       TEXT,
    credential_value_prefix     TEXT,
    credential_value_refs       TEXT,
    basic_username_ref          TEXT,
    basic_password_ref          TEXT,
    oauth_token_url             TEXT,
    oauth_client_id_ref         TEXT,
    oauth_client_secret_ref     TEXT,
    oauth_scope                 TEXT,
    oauth_audience              TEXT,
    oauth_refresh_before_millis INTEGER,
    signing_hook                TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_credential_version ON reg_prov_credential
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_credential_valid ON reg_prov_credential
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- Standard parameter names and the provider's own.
CREATE TABLE reg_prov_api_param_map (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    provider_param_name   TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_api_param_map_version ON reg_prov_api_param_map
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_api_param_map_valid ON reg_prov_api_param_map
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How conditions are combined.
CREATE TABLE reg_prov_expr_capability (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    and_joiner            TEXT,
    or_joiner             TEXT,
    not_prefix            TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_expr_capability_version ON reg_prov_expr_capability
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_expr_capability_valid ON reg_prov_expr_capability
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- How a condition on a field is written; item_key is FIELD/OPERATOR.
CREATE TABLE reg_prov_expr_render_rule (
    id                    INTEGER PRIMARY KEY,
    provenance_code       TEXT    NOT NULL,
    endpoint_name         TEXT    NOT NULL DEFAULT '*',    -- '*': all of the source's
    operation_code        TEXT    NOT NULL DEFAULT 'ALL',  -- or HARVEST, BACKFILL, UPDATE
    item_key              TEXT    NOT NULL DEFAULT '',     -- where a level has several rows
    effective_from        INTEGER NOT NULL,
    effective_to          INTEGER,                         -- [from, to); NULL: still valid
    lifecycle_status_code TEXT    NOT NULL DEFAULT 'ACTIVE',
    template              TEXT,
    is_negatable          INTEGER,
    in_max_size           INTEGER,
    joiner                TEXT,
    param_name            TEXT
) STRICT;
CREATE UNIQUE INDEX uk_reg_prov_expr_render_rule_version ON reg_prov_expr_render_rule
    (provenance_code, endpoint_name, operation_code, item_key, effective_from);
CREATE UNIQUE INDEX uk_reg_prov_expr_render_rule_valid ON reg_prov_expr_render_rule
    (provenance_code, endpoint_name, operation_code, item_key) WHERE effective_to IS NULL;

-- The fields that a query of any source may speak of.
CREATE TABLE reg_expr_field_dict (
    field_key        TEXT    NOT NULL PRIMARY KEY,
    display_name     TEXT    NOT NULL,
    data_type_code   TEXT    NOT NULL,
    cardinality_code TEXT    NOT NULL DEFAULT 'SINGLE',
    exposable        INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
INSERT INTO reg_expr_field_dict (field_key, display_name, data_type_code, cardinality_code) VALUES
    ('title', 'Title', 'TEXT', 'SINGLE'),
    ('author', 'Author', 'TEXT', 'MULTI'),
    ('journal', 'Journal', 'TEXT', 'SINGLE'),
    ('mesh', 'MeSH heading', 'KEYWORD', 'MULTI'),
    ('type', 'Type of publication', 'KEYWORD', 'SINGLE'),
    ('updated_at', 'Time of the last change', 'DATETIME', 'SINGLE'),
    ('published_at', 'Date of publication', 'DATE', 'SINGLE');
