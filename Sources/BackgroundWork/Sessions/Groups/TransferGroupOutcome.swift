import BackgroundWorkModel
import BackgroundWorkStorage

/// How the members of a group have ended.
public struct TransferGroupOutcome: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The id of its work item.
        public var workID: String
        /// How it ended.
        public var outcome: WorkOutcome
        /// What there is to say about it; on failure, why.
        public var message: String?
        /// What it gave, as its event has it.
        public var outputJSON: String?
    }

    /// The group's label.
    public var group: String
    /// All members, in the order of enqueueing.
    public var members: [Member]

    /// Those that have succeeded.
    public var succeeded: [Member] { members.filter { $0.outcome == .succeeded } }
    /// Those that have not: failed, cancelled or skipped.
    public var unsuccessful: [Member] { members.filter { $0.outcome != .succeeded } }

    private static let pageSize = 1000

    init(group: String, in transaction: WorkSnapshot) throws {
        self.group = group
        members = []
        var query = WorkQuery(tags: [TransferGroup.tag(for: group)], limit: Self.pageSize)
        while true {
            let page = try transaction.records(matching: query)
            members += page.compactMap { record in
                record.status.state.outcome.map {
                    Member(workID: record.id, outcome: $0, message: record.message, outputJSON: record.outputJSON)
                }
            }
            guard page.count == Self.pageSize else { return }
            query.after = page.last?.sequence
        }
    }
}
