import Synchronization

/// How the next requests are treated, by path and method, and what holds them.
final class BehaviourScript: Sendable {
    private struct Key: Hashable {
        var path: String
        /// `nil` for all methods that have no sequence of their own.
        var method: String?
    }

    private struct Contents: ~Copyable {
        var lasting: [Key: Behaviour] = [:]
        var queued: [Key: [Behaviour]] = [:]
        var gates: [String: ReleaseGate] = [:]
        var released: Set<String> = []
    }

    private let contents = Mutex(Contents())

    func set(_ behaviours: [Behaviour], for path: String, method: String?) {
        contents.withLock { contents in
            let key = Key(path: path, method: method)
            contents.lasting[key] = behaviours.last ?? .correct
            contents.queued[key] = Array(behaviours.dropLast())
            // Those who wait already are let go by the next release; a gate that is open holds nobody any more.
            if contents.released.remove(path) != nil { contents.gates[path] = nil }
        }
    }

    /// The behaviour for the next request, by the first of the paths that has one; the last of a sequence stays.
    func next(for paths: [String], method: String) -> Behaviour {
        contents.withLock { contents in
            for key in paths.flatMap({ [Key(path: $0, method: method), Key(path: $0, method: nil)] }) {
                if let next = contents.queued[key]?.first {
                    contents.queued[key]?.removeFirst()
                    return next
                }
                if let lasting = contents.lasting[key] { return lasting }
            }
            return .correct
        }
    }

    func release(_ path: String) {
        contents.withLock { contents in
            contents.released.insert(path)
            contents.gates[path]?.open()
        }
    }

    /// What requests for the path wait for; `nil` when the process has no descriptors left for it.
    func gate(for path: String) -> ReleaseGate? {
        contents.withLock { contents in
            if let gate = contents.gates[path] { return gate }
            let gate = ReleaseGate()
            contents.gates[path] = gate
            if contents.released.contains(path) { gate?.open() }
            return gate
        }
    }
}
