/// The work database's schema, version by version.
enum WorkSchema {
    static let migrator = SchemaMigrator(title: "work database", steps: [first, second, third])

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

    /// Lanes: what is alike in queue, worker and conditions is claimed or held back together, so an item that may not
    /// run now is never in the way of one that may, however many there are of it. Tags have a table of their own, which
    /// a trigger keeps clean, since numbers of deleted items are given out again.
    private static let second = """
        CREATE TABLE lanes (
            id INTEGER PRIMARY KEY,
            queue TEXT NOT NULL,
            worker TEXT NOT NULL,
            constraints INTEGER NOT NULL,
            UNIQUE (queue, worker, constraints)
        );
        INSERT INTO lanes (queue, worker, constraints) SELECT DISTINCT 'default', worker, 0 FROM work;
        ALTER TABLE work ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE work ADD COLUMN flags INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE work ADD COLUMN options TEXT;
        ALTER TABLE work ADD COLUMN trigger TEXT;
        ALTER TABLE work ADD COLUMN planned INTEGER;
        ALTER TABLE work ADD COLUMN occurrence INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE work ADD COLUMN started_at INTEGER;
        ALTER TABLE work ADD COLUMN expires INTEGER;
        ALTER TABLE work ADD COLUMN watched TEXT;
        ALTER TABLE work ADD COLUMN file_stamp TEXT;
        ALTER TABLE work ADD COLUMN triggered_at INTEGER;
        ALTER TABLE work ADD COLUMN checkpoint TEXT;
        ALTER TABLE work ADD COLUMN progress TEXT;
        UPDATE work SET lane = (SELECT id FROM lanes WHERE lanes.worker = work.worker);
        DROP INDEX work_due;
        CREATE INDEX work_due ON work (priority, lane, due, seq) WHERE state = 1 AND deaths < 2;
        CREATE INDEX work_expires ON work (expires) WHERE expires IS NOT NULL;
        CREATE INDEX work_recurring ON work (seq) WHERE trigger IS NOT NULL;
        CREATE INDEX work_watched ON work (watched) WHERE watched IS NOT NULL;
        CREATE TABLE tags (tag TEXT NOT NULL, work INTEGER NOT NULL, PRIMARY KEY (tag, work)) WITHOUT ROWID;
        CREATE INDEX tags_work ON tags (work);
        CREATE TRIGGER work_deleted AFTER DELETE ON work WHEN OLD.options IS NOT NULL BEGIN
            DELETE FROM tags WHERE work = OLD.seq;
        END;
        CREATE TABLE chain_links (
            chain TEXT NOT NULL, predecessor INTEGER NOT NULL, step INTEGER NOT NULL,
            PRIMARY KEY (chain, predecessor, step)
        ) WITHOUT ROWID;
        CREATE INDEX chain_links_step ON chain_links (chain, step);
        CREATE TABLE queues (name TEXT PRIMARY KEY, paused_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE rate_starts (queue TEXT NOT NULL, at INTEGER NOT NULL);
        CREATE INDEX rate_starts_at ON rate_starts (queue, at);
        CREATE TABLE appended (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, body TEXT NOT NULL);
        CREATE INDEX appended_id ON appended (id, seq);
        ALTER TABLE events ADD COLUMN metadata TEXT;
        ALTER TABLE events ADD COLUMN started_at INTEGER;
        """

    /// What is asked of a chain is whether members in some state are left, so that the state comes first: what has
    /// ended is not read again at the end of each of the others.
    private static let third = """
        DROP INDEX work_chain;
        CREATE INDEX work_chain ON work (chain, state, step) WHERE chain IS NOT NULL;
        """

    /// Reads the root of every table and index, so that damage there shows at opening rather than in the middle of
    /// work. It costs the same however much the database holds.
    static func probe(_ connection: SQLiteConnection) throws {
        let tables = [
            "work", "events", "subscribers", "acknowledgements", "owners", "outbox", "meta", "lanes", "tags",
            "chain_links", "queues", "rate_starts", "appended",
        ]
        for table in tables {
            try connection.rows("SELECT 1 FROM \(table) LIMIT 1") { _ in }
        }
    }
}
