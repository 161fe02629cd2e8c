#if os(Linux)
import BackgroundWorkStorage
import BackgroundWorkFoundation

/// Opens the journal; a damaged one is set aside, never overwritten, and a new one begun under a new epoch.
struct JournalOpener {
    var path: String
    /// Told what was found and done.
    var report: (String) -> Void

    /// Throws `SchemaTooNewError` for the journal of a later program, which is left untouched.
    func open() throws -> Journal {
        let (journal, aside) = try DatabaseFile(path: path).open(at: Date()) { try Journal(path: path) }
        if let aside { report("the journal is damaged; it was set aside as \(aside) and a new one begun") }
        return journal
    }
}
#endif
