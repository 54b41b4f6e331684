"""What one of MariaDB, MySQL 8 and TiDB does not take, or takes for something else. Only MariaDB is at hand to be asked."""
import re

# Comments and texts are left out before these are looked for, and letter case does not matter.
IN_EVERY_STATEMENT = {
    r"\bRETURNING\b": "MySQL has no RETURNING",
    r"\bPERIOD\b|\bSYSTEM\s+VERSIONING\b|\bFOR\s+SYSTEM_TIME\b": "tables with periods are MariaDB's",
    r"\bSEQUENCE\b|\bNEXTVAL\b|\bLASTVAL\b|\bNEXT\s+VALUE\b": "MySQL has no sequences",
    r"\bUUID\b(?!\s*\()|\bINET[46]\b": "a type of MariaDB alone",
    r"\bOR\s+REPLACE\b(?!\s+(\w+\s*=\s*\w+\s+|SQL\s+SECURITY\s+\w+\s+)*VIEW)": "for tables MariaDB alone has it",
    r"\bSET\s+STATEMENT\b": "settings of one statement are MariaDB's",
    r"\bROWS\s+EXAMINED\b": "MariaDB alone bounds the rows that are looked at",
    r"(?<!:)\b(EXCEPT|INTERSECT|MINUS)\b": "MySQL has these since 8.0.31 only",
    r"\b(FOR\s+UPDATE|SHARE\s+MODE)\s+WAIT\b": "MariaDB alone says how long to wait for a lock",
    r"\bLOCK\s+TABLES\b|\bFLUSH\b": "it ends the transaction, or needs rights that nobody should give us",
    r"\bmax_statement_time\b|@@in_transaction\b|\blast_insert_id\s*=": "a variable of MariaDB alone",
    r"\bJSON_(DETAILED|COMPACT|LOOSE|EXISTS|QUERY|EQUALS|NORMALIZE)\s*\(": "a function of MariaDB alone",
    r"\b(MEDIAN|PERCENTILE_(CONT|DISC)|TO_CHAR|NVL2?|ROWNUM|SFORMAT|NATURAL_SORT_KEY|CRC32C|ADD_MONTHS)\s*\(":
        "a function of MariaDB alone",
    r"\bVALUES\s+ROW\b|\bFROM\s*\(\s*VALUES\b": "written differently by each server",
    r"\bBEGIN\s+NOT\s+ATOMIC\b|\bEXECUTE\s+IMMEDIATE\b": "blocks outside of procedures are MariaDB's",
    r"(?<![.\w:])(RANK|DENSE_RANK|ROW_NUMBER|NTILE|LAG|LEAD|CUBE|GROUPS|GROUPING|LATERAL|SYSTEM|EMPTY|FUNCTION|OF)\b(?!\s*\()":
        "a reserved word of MySQL, and a plain one of MariaDB",
}

IN_SCHEMA_CHANGES = IN_EVERY_STATEMENT | {
    r"\bIF\s+(NOT\s+)?EXISTS\b": "for columns and indexes MariaDB alone has it; a change knows what is there",
    r"\bJSON\b(?!_)": "the type changes what it is given: keys are ordered anew",
    r"\bINVISIBLE\b": "written differently by each server",
    r"\bPERSISTENT\b": "MySQL calls it STORED",
    r"\bCOMPRESSED\b|\bENCRYPTED\b|\bPAGE_COMPRESSED\b": "options of tables differ",
    r"\bDELIMITER\b|\bPROCEDURE\b|\bTRIGGER\b|\bBEGIN\b": "a change is a sequence of plain statements",
    r"\bVIRTUAL\s+NOT\s+NULL\b": "MariaDB knows no generated columns that are NOT NULL",
    r"`": "identifiers are quoted with double quotes",
}

# Ids come from clocks and nodes, and on a server of several nodes or a cluster in steps: between two there may be any gap.
GAPLESS_IDS = {
    r"\bAUTO_?INCREMENT\b": "ids are made by IdGenerator",
    r"\bLAST_INSERT_(ID|ROWID)\b": "ids are made by IdGenerator",
    r"\b(\w+_)?id\s*[-+]\s*\d": "the next id is no neighbour",
    r"\bmax\s*\(\s*(\w+\.)?(\w+_)?id\s*\)\s*[-+]": "the next id is no neighbour, and the largest is not the newest",
    r"\b(\w+_)?id\s*%": "ids are not spread evenly",
}


def without_texts_and_comments(sql):
    return re.sub(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", " ", sql, flags=re.S)


def findings(sql, *tables):
    """(what was found, why not) for everything in the statement that stands in one of the tables."""
    plain = without_texts_and_comments(sql)
    return [(found.group(0), why) for table in tables for pattern, why in table.items()
            for found in re.finditer(pattern, plain, flags=re.I)]
