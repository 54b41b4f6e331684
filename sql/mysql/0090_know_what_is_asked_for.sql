-- What the definition in force says of a query of an endpoint, as the newest planner found it: where its window starts, and what it
-- asks the provider for. What older definitions have proven is held against it.
CREATE TABLE ing_query (
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    query_hash      VARBINARY(64)  NOT NULL,
    begins_at       BIGINT         NOT NULL,
    asked           LONGTEXT       NOT NULL,  -- JSON: by the key of the definition
    updated_at      BIGINT         NOT NULL,
    PRIMARY KEY (provenance_code, endpoint_name, query_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
