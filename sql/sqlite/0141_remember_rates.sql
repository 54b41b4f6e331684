-- What was sent under the keys of the rate gate, minute by minute, and what became of their rate: the gate itself knows the present.
CREATE TABLE ing_gate_minute (
    minute          INTEGER NOT NULL,
    gate_key        TEXT    NOT NULL,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    requests        INTEGER NOT NULL DEFAULT 0,
    throttled       INTEGER NOT NULL DEFAULT 0,
    failures        INTEGER NOT NULL DEFAULT 0,
    cuts            INTEGER NOT NULL DEFAULT 0,  -- times that the rate went down
    cool_downs      INTEGER NOT NULL DEFAULT 0,
    openings        INTEGER NOT NULL DEFAULT 0,  -- of the breaker
    share_ppm_sum   INTEGER NOT NULL DEFAULT 0,  -- over the requests: of the limit that was allowed
    limit_per_day   INTEGER NOT NULL DEFAULT 0,  -- at full rate; 0: none on the rate
    stopped_until   INTEGER NOT NULL DEFAULT 0,  -- by the last cool-down or breaker; 0: by none
    PRIMARY KEY (gate_key, minute, provenance_code, endpoint_name)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_gate_minute_time ON ing_gate_minute (minute);
