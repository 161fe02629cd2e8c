/// Options that few requests set, kept together so that plain requests do not store them.
package struct WorkOptions: Sendable, Hashable, Codable {
    package var tags: Set<String>?
    package var metadata: [String: String]?
    package var timeoutMs: Int64?
    package var deadline: WallTime?
    package var delayMs: Int64?
    package var inputMerge: InputMerge?
    /// When the first attempt must have started, from a window.
    package var latest: WallTime?

    package init() {}

    package init(_ request: TaskRequest, latest: WallTime?) {
        if !request.tags.isEmpty { tags = request.tags }
        if !request.metadata.isEmpty { metadata = request.metadata }
        timeoutMs = request.timeout.map { max(1, $0.milliseconds) }
        deadline = request.deadline.map(WallTime.init)
        if request.delay > .zero { delayMs = request.delay.milliseconds }
        inputMerge = request.inputMerge
        self.latest = latest
    }

    /// Whether no option is set.
    package var isEmpty: Bool {
        tags == nil && metadata == nil && timeoutMs == nil && deadline == nil && delayMs == nil && inputMerge == nil
            && latest == nil
    }

    /// When an item with these options is ended if nothing has happened to it; `nil` for never.
    ///
    /// - Parameter handOffExpires: when a hand-off's outcome must have arrived.
    package func expiry(in status: WorkStatus, handOffExpires: WallTime? = nil) -> WallTime? {
        switch status.state {
        // A window limits the first start; an item that has started once may be retried after it.
        case .pending, .blocked: Self.earlier(deadline, status.attempt == 0 ? latest : nil)
        case .handedOff: Self.earlier(deadline, handOffExpires)
        default: nil
        }
    }

    private static func earlier(_ one: WallTime?, _ other: WallTime?) -> WallTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
