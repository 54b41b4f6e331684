-- By which way somebody came who decided something.
ALTER TABLE ing_audit ADD COLUMN way_code TEXT NOT NULL DEFAULT 'COMMAND_LINE';
