import BackgroundWorkBuiltIns
import BackgroundWorkStorage

/// Removes the partial files of downloads whose work has ended without a run that could have done so: work that was
/// cancelled while it waited, that was given up after a death, or whose deadline has passed.
struct PartialFileSweep: Sendable {
    var files: PartialFiles
    var store: WorkStore

    /// Looks at the work that a commit has changed.
    func committed(_ summary: CommitSummary) {
        let ids = files.known(of: summary.isNewsOfOthers ? nil : summary.changed)
        if !ids.isEmpty { Task { await sweep(ids) } }
    }

    /// Looks at all work that has some, also of earlier processes.
    func begin() async {
        // What cannot be read now is read at the next start.
        try? await files.load()
        let ids = files.known(of: nil)
        if !ids.isEmpty { await sweep(ids) }
    }

    private func sweep(_ ids: [String]) async {
        // What cannot be looked up now is looked up at the next change, or the next start.
        try? await files.removeSettled(of: ids) { [store] key in
            let status = try await store.read { try $0.record(id: key.workID)?.status }
            return status.map { $0.state.isFinished || $0.generation != key.generation } ?? true
        }
    }
}
