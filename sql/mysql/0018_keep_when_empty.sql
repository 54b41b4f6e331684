-- Of records with fields that survive an empty value: since which version each kept value stands, and the
-- hash of what the newest version itself said. NULL where nothing is kept.
ALTER TABLE ing_item ADD COLUMN kept LONGTEXT;
