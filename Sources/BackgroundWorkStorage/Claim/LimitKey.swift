import BackgroundWorkModel

/// Whose limit on what runs at the same time is meant.
package enum LimitKey: Sendable, Hashable {
    case queue(String)
    /// By name as requested.
    case worker(String)
}

extension WorkLimits {
    /// The limits on what runs at the same time that hold for a claim group.
    func keys(of claimGroup: ClaimGroup) -> [LimitKey] {
        var keys: [LimitKey] = []
        if workers[claimGroup.worker] != nil { keys.append(.worker(claimGroup.worker)) }
        if queues[claimGroup.queue]?.maximumConcurrent != nil { keys.append(.queue(claimGroup.queue)) }
        return keys
    }

    func most(_ key: LimitKey) -> Int? {
        switch key {
        case .queue(let name): queues[name]?.maximumConcurrent
        case .worker(let name): workers[name]
        }
    }
}
