CREATE TABLE IF NOT EXISTS boards (
    name TEXT PRIMARY KEY, token TEXT NOT NULL, source TEXT NOT NULL, digest TEXT NOT NULL,
    status TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS versions (
    board TEXT NOT NULL REFERENCES boards ON DELETE CASCADE, number INTEGER NOT NULL,
    once TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (board, number)
);
CREATE INDEX IF NOT EXISTS keys ON versions (board, once);
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
