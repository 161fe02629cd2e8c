import BackgroundWorkFiles
import BackgroundWorkStorage

/// The journal's tables, step by step. Steps that have shipped are never edited; new ones are added at the end.
enum JournalSchema {
    static let migrator = SchemaMigrator(title: "agent's journal", steps: [first, wakes])

    /// `sqlite_sequence` gets its row at once, so that the lower bound of identifiers can be raised before the first
    /// transfer (https://sqlite.org/autoinc.html).
    private static let first = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE transfers(
            task INTEGER PRIMARY KEY AUTOINCREMENT,
            store TEXT NOT NULL,
            key TEXT NOT NULL,
            session TEXT NOT NULL,
            specification TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('reserved', 'active', 'finished')),
            total INTEGER,
            validator TEXT,
            checkpoint INTEGER NOT NULL DEFAULT 0,
            boot TEXT,
            outcome TEXT,
            created_at INTEGER NOT NULL,
            UNIQUE(store, key)
        );
        INSERT INTO sqlite_sequence(name, seq) VALUES('transfers', 0);
        """

    /// One row for each set of needs of a store, with the earliest instant, in milliseconds since 1970.
    private static let wakes = """
        CREATE TABLE wakes(
            store TEXT NOT NULL,
            needs INTEGER NOT NULL,
            earliest INTEGER NOT NULL,
            PRIMARY KEY(store, needs)
        ) WITHOUT ROWID;
        """
}
