/// The work database's schema, version by version.
enum WorkSchema {
    static let migrator = SchemaMigrator(title: "work database", steps: [first])

    /// Few indexes, because each costs every enqueue: one seek per priority finds what is due, and the others are
    /// partial, so that plain requests do not pay for chains, owners and hand-offs.
    private static let first = """
        CREATE TABLE work (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            chain TEXT,
            step INTEGER NOT NULL,
            position INTEGER NOT NULL,
            worker TEXT NOT NULL,
            input TEXT,
            idempotent INTEGER NOT NULL,
            retry_policy TEXT,
            state INTEGER NOT NULL,
            priority INTEGER NOT NULL,
            due INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            deaths INTEGER NOT NULL,
            owner INTEGER,
            message TEXT,
            output TEXT,
            move TEXT,
            enqueued_at INTEGER NOT NULL,
            finished_at INTEGER
        );
        CREATE INDEX work_due ON work (priority, due, seq) WHERE state = 1 AND deaths < 2;
        CREATE INDEX work_suspects ON work (due, seq) WHERE state = 1 AND deaths >= 2;
        CREATE INDEX work_chain ON work (chain, step) WHERE chain IS NOT NULL;
        CREATE INDEX work_owner ON work (owner) WHERE owner IS NOT NULL;
        CREATE INDEX work_handed_off ON work (state) WHERE state IN (3, 4);
        CREATE TABLE events (
            seq INTEGER PRIMARY KEY,
            work_id TEXT NOT NULL,
            worker TEXT NOT NULL,
            chain TEXT,
            step INTEGER NOT NULL,
            occurrence INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            message TEXT,
            output TEXT,
            finished_at INTEGER NOT NULL
        );
        CREATE TABLE subscribers (name TEXT PRIMARY KEY, acknowledged INTEGER NOT NULL, owner INTEGER) WITHOUT ROWID;
        CREATE TABLE acknowledgements (
            name TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (name, seq)
        ) WITHOUT ROWID;
        CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, lock_file TEXT NOT NULL, pid INTEGER NOT NULL);
        CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, cancel_transfer TEXT NOT NULL);
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// Reads the root of every table and index, so that damage there shows at opening rather than in the middle of
    /// work. It costs the same however much the database holds.
    static func probe(_ connection: SQLiteConnection) throws {
        for table in ["work", "events", "subscribers", "acknowledgements", "owners", "outbox", "meta"] {
            try connection.rows("SELECT 1 FROM \(table) LIMIT 1") { _ in }
        }
    }
}
