import BackgroundWorkFiles
import BackgroundWorkStorage

/// The journal's tables, step by step. Released steps are never edited; new ones are added at the end.
enum JournalSchema {
    static let migrator = SchemaMigrator(
        title: "agent's journal", steps: [first, wakes, transfersInFull, watchedFiles, mirrorFailures])

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

    /// `next_attempt` and `started_at` are milliseconds since 1970; `failures` are those since the count started;
    /// `mirror` is 0 for the URL itself; `parts` is the JSON of a ``SegmentTable`` that was synced at the checkpoint,
    /// and `upload` the URL of a resumable upload.
    private static let transfersInFull = """
        ALTER TABLE transfers ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transfers ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transfers ADD COLUMN next_attempt INTEGER;
        ALTER TABLE transfers ADD COLUMN mirror INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transfers ADD COLUMN parts TEXT;
        ALTER TABLE transfers ADD COLUMN upload TEXT;
        ALTER TABLE transfers ADD COLUMN started_at INTEGER;
        """

    /// The JSON of ``MirrorFailures``; NULL for none.
    private static let mirrorFailures = "ALTER TABLE transfers ADD COLUMN mirror_failures TEXT;"

    /// One row for each set of needs of a store, with the earliest instant, in milliseconds since 1970.
    private static let wakes = """
        CREATE TABLE wakes(
            store TEXT NOT NULL,
            needs INTEGER NOT NULL,
            earliest INTEGER NOT NULL,
            PRIMARY KEY(store, needs)
        ) WITHOUT ROWID;
        """

    /// Files that hosts wait for, each with its stamp when its host last checked it.
    private static let watchedFiles = """
        CREATE TABLE watched_files(
            store TEXT NOT NULL,
            path TEXT NOT NULL,
            stamp TEXT NOT NULL,
            PRIMARY KEY(store, path, stamp)
        ) WITHOUT ROWID;
        """
}
