-- Ids whose details could not be had, as people look at them: those that nobody has released, by when they were listed.
CREATE INDEX idx_bad_id_open ON ing_bad_id (listed_at) WHERE released_at IS NULL;
