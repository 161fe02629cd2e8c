import BackgroundWorkFoundation
import BackgroundWorkSystem

/// SQLite returned an error. The description names the file, the failed action, and SQLite's own message.
package struct SQLiteError: Error, CustomStringConvertible {
    /// The primary result code (https://sqlite.org/rescode.html).
    package var code: Int32
    /// SQLite's message.
    package var message: String
    /// The database file.
    package var path: String
    /// The statement or the step that failed.
    package var action: String
    /// The error number of the system call that has failed (errno), if one has.
    package var systemCode: Int32

    package init(code: Int32, message: String, path: String, action: String, systemCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.path = path
        self.action = action
        self.systemCode = systemCode
    }

    package var description: String { "SQLite: \(message) (code \(code)) in \(path) at \"\(action)\"\(advice)" }

    private var advice: String {
        switch code {
        case 13: ". The disk is full: free some space; nothing of this step was written."
        case 8, 14: ". Check that the folder exists and that this user may write to it."
        case 5, 6: ". Another process held the database for too long."
        case 11, 26: ". The file seems damaged: the next launch checks it, and sets it aside if it is."
        default: ""
        }
    }

    /// Another connection has held the database for longer than the wait (SQLITE_BUSY, SQLITE_LOCKED).
    package var isLocked: Bool { code == 5 || code == 6 }

    /// The system does not permit this, whatever the file's permissions are: EPERM, for which Apple's SQLite may say
    /// SQLITE_AUTH. Nothing here has an authorizer, the other reason for that code.
    package var isNotPermitted: Bool { code == 23 || systemCode == EPERM }

    /// The file is damaged or not a database at all (SQLITE_CORRUPT, SQLITE_NOTADB).
    package var isDamage: Bool { code == 11 || code == 26 }
}

extension SQLiteError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
