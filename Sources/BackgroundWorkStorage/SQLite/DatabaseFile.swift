import BackgroundWorkFiles
import BackgroundWorkFoundation

/// A database file that is opened for good: what seems damaged is looked at again before it is given up.
///
/// SQLite reports a read that the system has refused as damage (it makes SQLITE_CORRUPT of SQLITE_IOERR_CORRUPTFS), so its
/// word alone is no reason to begin anew.
package struct DatabaseFile {
    /// How often the file is opened before an error of which no cause is found is passed on.
    private static let attempts = 3

    private let path: String
    /// What works on the file now, in words; `nil` for nothing.
    private let user: () throws -> String?

    package init(path: String, user: @escaping () throws -> String? = { nil }) {
        self.path = path
        self.user = user
    }

    /// What `connect` returns. A file that is damaged is set aside, and a new one begun.
    ///
    /// Throws ``DatabaseInUseError`` for a damaged file that somebody works on, and the system's error for one that cannot
    /// be read; both leave it as it is.
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

    /// Opens the file anew and checks all of it (https://sqlite.org/pragma.html#pragma_integrity_check).
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

/// A database seems damaged and cannot be set aside, because somebody works on it.
package struct DatabaseInUseError: Error, CustomStringConvertible {
    package var path: String
    /// Who, in words.
    package var user: String
    /// What seems wrong with it.
    package var reason: String

    package var description: String {
        "The database \(path) seems damaged (\(reason)), and \(user) works on it. Nothing was changed. End that process and "
            + "start again: a file that is still damaged is then set aside and a new one begun."
    }
}

extension DatabaseInUseError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
