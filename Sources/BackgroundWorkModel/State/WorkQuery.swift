/// Which work to read. Conditions are joined by "and", the values of one condition by "or"; an empty condition does
/// not restrict the result.
///
/// ```swift
/// let waiting = try await scheduler.infos(matching: WorkQuery(tags: ["inbox"], states: [.pending, .running]))
/// ```
public struct WorkQuery: Sendable, Hashable {
    /// The ids of items.
    public var ids: Set<String>
    /// Items with at least one of these tags.
    public var tags: Set<String>
    /// Their states.
    public var states: Set<WorkState>
    /// The workers' names as requested.
    public var workerClassNames: Set<String>
    /// The queues they are in.
    public var queues: Set<String>
    /// The chain they belong to.
    public var chainID: String?
    /// The maximum number of items.
    public var limit: Int
    /// Only items after this position: the ``WorkInfo/cursor`` of the last one of the previous page.
    public var after: Int64?

    /// Creates a query; without conditions it matches everything, in the order of enqueueing.
    public init(
        ids: Set<String> = [], tags: Set<String> = [], states: Set<WorkState> = [], workerClassNames: Set<String> = [],
        queues: Set<String> = [], chainID: String? = nil, limit: Int = 1000, after: Int64? = nil
    ) {
        self.ids = ids
        self.tags = tags
        self.states = states
        self.workerClassNames = workerClassNames
        self.queues = queues
        self.chainID = chainID
        self.limit = limit
        self.after = after
    }
}
