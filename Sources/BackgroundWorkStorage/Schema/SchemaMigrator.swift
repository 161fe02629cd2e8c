import BackgroundWorkFoundation

/// Migrates a database to the newest schema, one version at a time, by `PRAGMA user_version`.
package struct SchemaMigrator: Sendable {
    /// The statements that migrate version `index` to version `index + 1`.
    package var steps: [String]
    /// The name of the database in messages.
    package var title: String

    package init(title: String, steps: [String]) {
        self.title = title
        self.steps = steps
    }

    /// The version this program writes.
    package var newest: Int { steps.count }

    /// Runs the missing steps, each in a separate transaction together with its version.
    ///
    /// Throws ``SchemaTooNewError`` before anything is written when the file is of a later program.
    package func migrate(_ connection: SQLiteConnection) throws {
        func version() throws -> Int { try connection.first("PRAGMA user_version") { Int($0.int(0)) } ?? 0 }
        let found = try version()
        guard found <= newest else {
            throw SchemaTooNewError(path: connection.path, title: title, found: found, supported: newest)
        }
        guard found < newest else { return }
        for step in found..<newest {
            try connection.transaction {
                // Another process may have migrated between the check and the lock.
                guard try version() == step else { return }
                try connection.execute(steps[step])
                try connection.execute("PRAGMA user_version = \(step + 1)")
            }
        }
    }
}

/// The database was written by a later version of this package. The file is left as it is.
package struct SchemaTooNewError: Error, CustomStringConvertible {
    /// The database file.
    package let path: String
    /// What the database holds, as text.
    package let title: String
    /// The file's schema version.
    package let found: Int
    /// The newest version that this program knows.
    package let supported: Int

    /// What happened, with both versions, and what to do.
    package var description: String {
        "The \(title) at \(path) has schema version \(found), but this program knows only up to \(supported). "
            + "The file was left untouched. Run the program version that wrote it, or a later one."
    }
}

extension SchemaTooNewError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
