-- What the definition in force says of a query of an endpoint, as the newest planner found it: where its window starts, and what it
-- asks the provider for. What older definitions have proven is held against it.
CREATE TABLE ing_query (
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    query_hash      TEXT    NOT NULL,
    begins_at       INTEGER NOT NULL,
    asked           TEXT    NOT NULL,  -- JSON: by the key of the definition
    updated_at      INTEGER NOT NULL,
    PRIMARY KEY (provenance_code, endpoint_name, query_hash)
) STRICT, WITHOUT ROWID;
