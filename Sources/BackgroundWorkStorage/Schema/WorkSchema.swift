/// The work database's schema, version by version.
enum WorkSchema {
    static let migrator = SchemaMigrator(title: "work database", steps: [first, exits])

    /// The table that has a row of an item determines its state: `due` or `suspects` (pending), `runs` (running),
    /// `parked` (handed off, or its file being moved), `events` (finished). A member of a chain that has none of
    /// these is blocked. So a request is written once and never rewritten, and features that a request does not use
    /// cost nothing: an insert writes to no index except that of the id.
    private static let first = """
        -- The requests. A chain has a row as well, so that one index holds all names.
        CREATE TABLE work (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            claim_group INTEGER NOT NULL,
            priority INTEGER NOT NULL,
            due INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            enqueued_at INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            input TEXT,
            extras TEXT,
            chain INTEGER,
            step INTEGER,
            position INTEGER
        );
        -- The waiting items. The items of a claim group share their queue, worker and conditions.
        CREATE TABLE due (
            priority INTEGER NOT NULL, claim_group INTEGER NOT NULL, due INTEGER NOT NULL, seq INTEGER NOT NULL,
            PRIMARY KEY (priority, claim_group, due, seq)
        ) WITHOUT ROWID;
        -- Waiting items whose process died while they ran, and that must run alone.
        CREATE TABLE suspects (due INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (due, seq)) WITHOUT ROWID;
        -- The claimed items. `is_touched`: something about the item was changed since.
        CREATE TABLE runs (
            seq INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL,
            claim_group INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            started_at INTEGER NOT NULL,
            is_touched INTEGER NOT NULL
        );
        -- Items whose worker is done: handed off, or its file being moved into place.
        CREATE TABLE parked (
            seq INTEGER PRIMARY KEY,
            state INTEGER NOT NULL,
            owner INTEGER,
            attempt INTEGER NOT NULL,
            started_at INTEGER,
            message TEXT,
            expires INTEGER,
            move TEXT
        );
        -- Values carried over from earlier attempts or occurrences. Most items finish without such a row.
        CREATE TABLE carried (
            seq INTEGER PRIMARY KEY,
            generation INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            deaths INTEGER NOT NULL,
            due INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            occurrence INTEGER NOT NULL,
            planned INTEGER,
            started_at INTEGER,
            triggered_at INTEGER,
            message TEXT,
            checkpoint TEXT,
            progress TEXT,
            -- Of a finished item whose event is gone, or of the last occurrence.
            outcome INTEGER,
            output TEXT,
            finished_at INTEGER
        );
        -- One for each finished request or occurrence; the newest of an item says how it ended.
        CREATE TABLE events (
            seq INTEGER PRIMARY KEY,
            work INTEGER,
            work_id TEXT NOT NULL,
            claim_group INTEGER NOT NULL,
            chain TEXT,
            step INTEGER NOT NULL,
            occurrence INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            outcome INTEGER NOT NULL,
            message TEXT,
            output TEXT,
            metadata TEXT,
            started_at INTEGER,
            finished_at INTEGER NOT NULL,
            duration INTEGER
        );
        CREATE INDEX events_work ON events (work);
        CREATE TABLE chains (
            seq INTEGER PRIMARY KEY, unfinished INTEGER NOT NULL, blocked INTEGER NOT NULL, worst INTEGER NOT NULL,
            has_links INTEGER NOT NULL
        );
        -- `open`: members that the steps after it wait for. `released_at`: since when its members may run.
        CREATE TABLE steps (
            chain INTEGER NOT NULL, step INTEGER NOT NULL, open INTEGER NOT NULL, released_at INTEGER,
            PRIMARY KEY (chain, step)
        ) WITHOUT ROWID;
        CREATE TABLE members (
            chain INTEGER NOT NULL, step INTEGER NOT NULL, position INTEGER NOT NULL, seq INTEGER NOT NULL,
            PRIMARY KEY (chain, step, position)
        ) WITHOUT ROWID;
        -- Only of chains whose steps do not simply follow each other.
        CREATE TABLE chain_links (
            chain INTEGER NOT NULL, predecessor INTEGER NOT NULL, step INTEGER NOT NULL,
            PRIMARY KEY (chain, predecessor, step)
        ) WITHOUT ROWID;
        CREATE INDEX chain_links_step ON chain_links (chain, step);
        -- When an item is ended if nothing has happened to it until then.
        CREATE TABLE expiries (at INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (at, seq)) WITHOUT ROWID;
        CREATE TABLE recurring (seq INTEGER PRIMARY KEY);
        CREATE TABLE watched (path TEXT NOT NULL, seq INTEGER NOT NULL, stamp TEXT, PRIMARY KEY (path, seq))
            WITHOUT ROWID;
        CREATE TABLE tags (tag TEXT NOT NULL, work INTEGER NOT NULL, PRIMARY KEY (tag, work)) WITHOUT ROWID;
        CREATE TABLE appended (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, body TEXT NOT NULL);
        CREATE INDEX appended_id ON appended (id, seq);
        CREATE TABLE claim_groups (
            id INTEGER PRIMARY KEY,
            queue TEXT NOT NULL,
            worker TEXT NOT NULL,
            constraints INTEGER NOT NULL,
            UNIQUE (queue, worker, constraints)
        );
        CREATE TABLE paused_queues (name TEXT PRIMARY KEY, paused_at INTEGER NOT NULL) WITHOUT ROWID;
        -- Limits that were set while running, in place of those of the configuration.
        CREATE TABLE limits (
            kind TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        CREATE TABLE rate_starts (queue TEXT NOT NULL, at INTEGER NOT NULL);
        CREATE INDEX rate_starts_at ON rate_starts (queue, at);
        CREATE TABLE subscribers (name TEXT PRIMARY KEY, acknowledged INTEGER NOT NULL, owner INTEGER, hold INTEGER)
            WITHOUT ROWID;
        CREATE TABLE acknowledgements (
            name TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (name, seq)
        ) WITHOUT ROWID;
        CREATE TABLE owners (
            id INTEGER PRIMARY KEY AUTOINCREMENT, lock_file TEXT NOT NULL, pid INTEGER NOT NULL, boot TEXT NOT NULL
        );
        -- Runs of an owner that another one has ended.
        CREATE TABLE stops (
            owner INTEGER NOT NULL, seq INTEGER NOT NULL, generation INTEGER NOT NULL,
            PRIMARY KEY (owner, seq, generation)
        ) WITHOUT ROWID;
        CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, cancel_transfer TEXT NOT NULL);
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// Counts how often a process exited while it ran an item. The view `items` joins the tables.
    private static let exits = """
        -- A process that exits is not one that died, so it is counted separately.
        ALTER TABLE carried ADD COLUMN exits INTEGER NOT NULL DEFAULT 0;

        DROP VIEW IF EXISTS items;
        CREATE VIEW items AS
        SELECT w.seq AS seq, w.id AS id, c.id AS chain, w.chain AS chain_seq, w.step AS step, w.position AS position,
            w.claim_group AS claim_group, w.priority AS priority, w.flags | coalesce(a.flags, 0) AS flags, w.input AS input,
            w.extras AS extras, w.enqueued_at AS enqueued_at, coalesce(a.generation, w.generation) AS generation,
            coalesce(r.attempt, p.attempt, a.attempt, e.attempt, 0) AS attempt, coalesce(a.deaths, 0) AS deaths,
            coalesce(a.due, s.released_at, w.due) AS due, coalesce(r.owner, p.owner) AS owner,
            coalesce(p.message, a.message, e.message) AS message, coalesce(e.output, a.output) AS output, p.move AS move,
            p.expires AS hand_off_expires, coalesce(e.finished_at, a.finished_at) AS finished_at, coalesce(a.occurrence, 0) AS occurrence,
            a.planned AS planned, coalesce(r.started_at, p.started_at, a.started_at, e.started_at) AS started_at,
            a.triggered_at AS triggered_at, a.checkpoint AS checkpoint, a.progress AS progress,
            a.seq IS NOT NULL AS is_carried, coalesce(a.exits, 0) AS exits,
            CASE
                WHEN r.seq IS NOT NULL THEN 2
                WHEN p.seq IS NOT NULL THEN p.state
                WHEN EXISTS (
                    SELECT 1 FROM due d WHERE d.priority = w.priority AND d.claim_group = w.claim_group
                    AND d.due = coalesce(a.due, s.released_at, w.due) AND d.seq = w.seq
                ) THEN 1
                WHEN a.deaths >= 2 AND EXISTS (SELECT 1 FROM suspects x WHERE x.due = a.due AND x.seq = w.seq) THEN 1
                WHEN a.flags & 64 THEN 0
                ELSE coalesce(e.outcome, a.outcome, 0)
            END AS state
        FROM work w
        LEFT JOIN runs r ON r.seq = w.seq
        LEFT JOIN parked p ON p.seq = w.seq
        LEFT JOIN carried a ON a.seq = w.seq
        LEFT JOIN steps s ON s.chain = w.chain AND s.step = w.step
        LEFT JOIN work c ON c.seq = w.chain
        LEFT JOIN events e ON e.seq = (SELECT max(n.seq) FROM events n WHERE n.work = w.seq)
        WHERE w.flags & 32 = 0;
        """

    /// Reads the root of every table and index, so that damage there is detected at opening rather than in the middle
    /// of work. It costs the same however much the database holds.
    static func probe(_ connection: SQLiteConnection) throws {
        // One statement: preparing a statement for each took longer than reading them.
        try connection.rows(
            """
            SELECT (SELECT 1 FROM work LIMIT 1), (SELECT 1 FROM due LIMIT 1), (SELECT 1 FROM suspects LIMIT 1), \
            (SELECT 1 FROM runs LIMIT 1), (SELECT 1 FROM parked LIMIT 1), (SELECT 1 FROM carried LIMIT 1), \
            (SELECT 1 FROM events LIMIT 1), (SELECT 1 FROM chains LIMIT 1), (SELECT 1 FROM steps LIMIT 1), \
            (SELECT 1 FROM members LIMIT 1), (SELECT 1 FROM chain_links LIMIT 1), \
            (SELECT 1 FROM expiries LIMIT 1), (SELECT 1 FROM recurring LIMIT 1), \
            (SELECT 1 FROM watched LIMIT 1), (SELECT 1 FROM tags LIMIT 1), (SELECT 1 FROM appended LIMIT 1), \
            (SELECT 1 FROM claim_groups LIMIT 1), (SELECT 1 FROM paused_queues LIMIT 1), \
            (SELECT 1 FROM limits LIMIT 1), (SELECT 1 FROM rate_starts LIMIT 1), \
            (SELECT 1 FROM subscribers LIMIT 1), (SELECT 1 FROM acknowledgements LIMIT 1), \
            (SELECT 1 FROM owners LIMIT 1), (SELECT 1 FROM stops LIMIT 1), (SELECT 1 FROM outbox LIMIT 1), \
            (SELECT 1 FROM meta LIMIT 1)
            """
        ) { _ in }
    }
}
