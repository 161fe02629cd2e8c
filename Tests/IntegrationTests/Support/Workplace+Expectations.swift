import BackgroundWorkStorage
import BackgroundWorkTesting
import Foundation
import Testing

extension Workplace {
    /// What must hold once the chain has finished, wherever a process died: the file is whole, each member has one
    /// event, and nothing is left behind.
    func expectFinished(
        content: [UInt8], requests: ClosedRange<Int> = 1...1, effects: ClosedRange<Int> = 1...1,
        _ place: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let context: Comment = "\(place)\n\(logs)"
        #expect(hasSaved(content), context, sourceLocation: sourceLocation)
        #expect(events.map(\.workID) == ["c/0.0", "c/1.0"], context, sourceLocation: sourceLocation)
        #expect(events.allSatisfy { $0.outcome == "succeeded" }, context, sourceLocation: sourceLocation)
        #expect(stateEntries == 0, context, sourceLocation: sourceLocation)
        #expect(journal.isEmpty, context, sourceLocation: sourceLocation)
        #expect(leftovers.isEmpty, context, sourceLocation: sourceLocation)
        #expect(requests.contains(server.requests.count), context, sourceLocation: sourceLocation)
        #expect(effects.contains(self.effects.count), context, sourceLocation: sourceLocation)
    }

    /// Whether the file is there, byte for byte. A truth value, so that a failure does not print megabytes.
    func hasSaved(_ content: [UInt8], at path: String? = nil) -> Bool {
        FileManager.default.contents(atPath: path ?? savePath).map(Array.init) == content
    }

    /// Temporary files of any kind.
    var leftovers: [String] {
        let folders = [directory, directory + "/agent/staging", folder.path + "/downloads"]
        return folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
            .filter { $0.hasSuffix(".part") || $0.contains(".bgwork-") || $0.hasSuffix(".new") }
    }
}

extension Workplace {
    /// How much the agent has staged, once its journal knows what that belongs to: an agent that is killed before has
    /// nothing to go on from.
    var stagedBytes: Int64? {
        let known = query(
            "agent/agent.sqlite", "SELECT 1 FROM transfers WHERE validator IS NOT NULL OR total IS NOT NULL"
        ) { _ in true }
        guard known?.isEmpty == false else { return nil }
        let staging = directory + "/agent/staging"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: staging)) ?? []
        return names.filter { $0.hasSuffix(".part") }.compactMap { name in
            (try? FileManager.default.attributesOfItem(atPath: staging + "/" + name)[.size] as? NSNumber)?.int64Value
        }.max()
    }

    /// Gives the journal another boot's identity; no process may have it open.
    func pretendReboot() throws {
        let journal = try SQLiteConnection(path: directory + "/agent/agent.sqlite", mode: .readWriteCreate)
        try journal.execute("UPDATE transfers SET boot = 'another'")
    }

    /// Deletes the transfers from the journal; no process may have it open.
    func forgetTransfers() throws {
        let journal = try SQLiteConnection(path: directory + "/agent/agent.sqlite", mode: .readWriteCreate)
        try journal.execute("DELETE FROM transfers")
    }
}
