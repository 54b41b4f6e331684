-- What the rate gate knows lies here while no process uses it, and in a file beside the store while one does.
ALTER TABLE ing_gate ADD COLUMN memory LONGBLOB;
ALTER TABLE ing_gate ADD COLUMN stops LONGTEXT;
