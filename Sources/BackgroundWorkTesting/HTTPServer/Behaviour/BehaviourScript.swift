import Synchronization

/// The behaviours for the next requests, by path and method, and the gates that hold their bodies.
final class BehaviourScript: Sendable {
    private struct Key: Hashable {
        var path: String
        /// `nil` for all methods that have no sequence of their own.
        var method: String?
    }

    private struct Contents: ~Copyable {
        var lasting: [Key: Behaviour] = [:]
        var queued: [Key: [Behaviour]] = [:]
        /// The gates that hold a request, or may soon.
        var gates: [String: ReleaseGate] = [:]
        /// How many bytes of each body may pass.
        var released: [String: Int64] = [:]
    }

    private let contents = Mutex(Contents())

    func set(_ behaviours: [Behaviour], for path: String, method: String?) {
        contents.withLock { contents in
            let key = Key(path: path, method: method)
            contents.lasting[key] = behaviours.last ?? .correct
            contents.queued[key] = Array(behaviours.dropLast())
            // Requests that wait already are resumed by the next release.
            contents.released[path] = nil
        }
    }

    /// The behaviour for the next request, of the first path that has one; the last of a sequence is repeated.
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

    func release(_ path: String, upTo bytes: Int64) {
        contents.withLock { contents in
            contents.released[path] = bytes
            contents.gates.removeValue(forKey: path)?.open(for: bytes)
        }
    }

    /// Whether a body for the path may continue after this many bytes.
    func passage(for path: String, after bytes: Int64) -> Passage {
        contents.withLock { contents in
            if let limit = contents.released[path], limit > bytes { return .open(upTo: limit) }
            if let gate = contents.gates[path] { return .held(gate) }
            guard let gate = ReleaseGate() else { return .broken }
            contents.gates[path] = gate
            return .held(gate)
        }
    }

    enum Passage {
        case open(upTo: Int64)
        case held(ReleaseGate)
        /// The process has no descriptors left for a gate.
        case broken
    }
}
