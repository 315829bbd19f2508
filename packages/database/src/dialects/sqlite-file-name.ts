/** Name of the SQLite file in the data folder. */
export const SQLITE_FILE = "one-api.db";
