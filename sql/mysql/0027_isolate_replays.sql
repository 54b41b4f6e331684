-- When the answer came that the record was in, where it is not the one that its batch brought: of a replay. A record of
-- a source without update times is as new as its answer.
ALTER TABLE ing_quarantine ADD COLUMN fetched_at BIGINT;
