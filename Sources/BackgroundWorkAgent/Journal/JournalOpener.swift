#if os(Linux)
import BackgroundWorkFiles
import BackgroundWorkStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opens the journal; a damaged one is set aside, never overwritten, and a new one begun under a new epoch.
struct JournalOpener {
    var path: String
    /// Told what was found and done.
    var report: (String) -> Void

    /// Throws `SchemaTooNewError` for the journal of a later program, which is left untouched.
    func open() throws -> Journal {
        do {
            return try Journal(path: path)
        } catch let error as SQLiteError where error.isDamage {
            let aside = try DamagedFile.setAside(path, at: Date())
            report("the journal is damaged (\(error.message)); it was set aside as \(aside) and a new one begun")
            return try Journal(path: path)
        }
    }
}
#endif
