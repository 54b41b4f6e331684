-- What was sent under the keys of the rate gate, minute by minute, and what became of their rate: the gate itself knows the present.
CREATE TABLE ing_gate_minute (
    minute          BIGINT         NOT NULL,
    gate_key        VARBINARY(128) NOT NULL,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    requests        BIGINT         NOT NULL DEFAULT 0,
    throttled       BIGINT         NOT NULL DEFAULT 0,
    failures        BIGINT         NOT NULL DEFAULT 0,
    cuts            BIGINT         NOT NULL DEFAULT 0,  -- times that the rate went down
    cool_downs      BIGINT         NOT NULL DEFAULT 0,
    openings        BIGINT         NOT NULL DEFAULT 0,  -- of the breaker
    share_ppm_sum   BIGINT         NOT NULL DEFAULT 0,  -- over the requests: of the limit that was allowed
    limit_per_day   BIGINT         NOT NULL DEFAULT 0,  -- at full rate; 0: none on the rate
    stopped_until   BIGINT         NOT NULL DEFAULT 0,  -- by the last cool-down or breaker; 0: by none
    PRIMARY KEY (gate_key, minute, provenance_code, endpoint_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_gate_minute_time ON ing_gate_minute (minute);
