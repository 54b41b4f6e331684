-- What was answered to requests that a caller may send again under the same key, so that what they ask for is done once.
CREATE TABLE ing_api_answer (
    key_hash     TEXT    NOT NULL PRIMARY KEY,  -- SHA-256 of the caller and their key
    request_hash TEXT    NOT NULL,              -- SHA-256 of what was asked
    http_status  INTEGER,                       -- NULL while it is under way
    body         TEXT,
    asked_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_api_answer_time ON ing_api_answer (asked_at);
