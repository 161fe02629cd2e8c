import BackgroundWorkFiles
import BackgroundWorkFoundation

/// Opens a database file safely: one that seems damaged is checked again before it is set aside.
///
/// SQLite reports a read that the system has refused as damage (it returns SQLITE_CORRUPT for
/// SQLITE_IOERR_CORRUPTFS), so its report alone is not enough to start with a new file.
package struct DatabaseFile {
    /// How often the file is opened before an error without a known cause is passed on.
    private static let attempts = 3

    private let path: String
    /// A description of what uses the file now; `nil` for nothing.
    private let user: () throws -> String?

    package init(path: String, user: @escaping () throws -> String? = { nil }) {
        self.path = path
        self.user = user
    }

    /// What `connect` returns. A file that is damaged is set aside, and a new one created.
    ///
    /// Throws ``DatabaseInUseError`` for a damaged file that another process uses, and the system's error for one
    /// that cannot be read; both leave it as it is.
    ///
    /// - Returns: also where the damaged file was put.
    package func open<Connection>(
        at date: Date, connect: () throws -> sending Connection
    ) throws -> sending (connection: Connection, setAside: String?) {
        var attempt = 1
        while true {
            do {
                return (try connect(), nil)
            } catch let error as SQLiteError where error.isDamage {
                if let user = try user() {
                    throw DatabaseInUseError(path: path, user: user, reason: error.message)
                }
                // Twice, so that one more refused read does not decide.
                if try isDamaged(), try isDamaged() {
                    let aside = try DamagedFile.setAside(path, at: date)
                    return (try connect(), aside)
                }
                guard attempt < Self.attempts else { throw error }
                attempt += 1
            }
        }
    }

    /// Opens the file again and checks all of it (https://sqlite.org/pragma.html#pragma_integrity_check).
    private func isDamaged() throws -> Bool {
        guard try seemsDamaged() else { return false }
        try FileReadability.check(path)
        try FileReadability.check(path + "-wal")
        return true
    }

    private func seemsDamaged() throws -> Bool {
        do {
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            return try connection.first("PRAGMA integrity_check(1)") { $0.text(0) } != "ok"
        } catch let error as SQLiteError where error.isDamage {
            return true
        }
    }
}

/// A database seems damaged and cannot be set aside, because another process uses it.
package struct DatabaseInUseError: Error, CustomStringConvertible {
    package var path: String
    /// A description of what uses the file.
    package var user: String
    /// What seems wrong with it.
    package var reason: String

    package var description: String {
        "The database \(path) seems damaged (\(reason)), and \(user) uses it. Nothing was changed. End that process and "
            + "start again: a file that is still damaged is then set aside and a new one created."
    }
}

extension DatabaseInUseError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
