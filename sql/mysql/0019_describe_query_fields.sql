-- What a field of queries means, for people. The rows follow dictionary/fields.yaml of the definitions.
ALTER TABLE reg_expr_field_dict ADD COLUMN description LONGTEXT;
