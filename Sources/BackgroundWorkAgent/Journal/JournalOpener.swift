import BackgroundWorkFoundation
import BackgroundWorkStorage

/// Opens the journal; a damaged one is set aside, never overwritten, and a new one is created with a new epoch.
struct JournalOpener {
    var path: String
    /// Receives messages about what was found and done.
    var report: (String) -> Void

    /// Throws `SchemaTooNewError` for a journal of a later version, which is left unchanged.
    func open() throws -> Journal {
        let (journal, aside) = try DatabaseFile(path: path).open(at: Date()) { try Journal(path: path) }
        if let aside { report("the journal is damaged; it was set aside as \(aside) and a new one was created") }
        return journal
    }
}
