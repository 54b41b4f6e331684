-- What was answered to requests that a caller may send again under the same key, so that what they ask for is done once.
CREATE TABLE ing_api_answer (
    key_hash     VARBINARY(64) NOT NULL PRIMARY KEY,  -- SHA-256 of the caller and their key
    request_hash VARBINARY(64) NOT NULL,              -- SHA-256 of what was asked
    http_status  BIGINT,                              -- NULL while it is under way
    body         LONGTEXT,
    asked_at     BIGINT        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_api_answer_time ON ing_api_answer (asked_at);
