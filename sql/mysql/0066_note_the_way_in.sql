-- By which way somebody came who decided something.
ALTER TABLE ing_audit ADD COLUMN way_code VARBINARY(32) NOT NULL DEFAULT 'COMMAND_LINE';
