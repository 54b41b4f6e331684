-- Who is at a request that may be sent again (a process; NULL where an older program began it), and until when it is theirs, which
-- is pushed on while it is under way: what a process that died had begun is begun anew.
ALTER TABLE ing_api_answer ADD COLUMN owner TEXT;
ALTER TABLE ing_api_answer ADD COLUMN leased_until INTEGER;
