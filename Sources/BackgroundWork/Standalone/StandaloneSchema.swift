import BackgroundWorkStorage

/// The tables of `standalone.sqlite`.
enum StandaloneSchema {
    static let migrator = SchemaMigrator(title: "record of direct transfers", steps: [first])

    /// Generations are never given twice, so an outcome that comes late is distinguished from the one that is waited
    /// for.
    private static let first = """
        CREATE TABLE transfers (
            generation INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL UNIQUE,
            request TEXT NOT NULL,
            state INTEGER NOT NULL,
            content TEXT
        );
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// What the column `state` says; `content` is a finishing row's move, or how an ended one ended.
    enum State {
        static let active: Int64 = 0
        static let finishing: Int64 = 1
        static let ended: Int64 = 2
    }

    /// Reads the root of each table, so that damage shows at opening.
    static func probe(_ connection: SQLiteConnection) throws {
        for table in ["transfers", "meta"] { try connection.rows("SELECT 1 FROM \(table) LIMIT 1") { _ in } }
    }
}
