import BackgroundWorkModel

/// A transfer as the agent knows it: the work store it belongs to, and its key in there. A store that was begun anew
/// has another identity, so keys that start over never meet those of the old one.
package struct TransferReference: Sendable, Hashable, Codable, CustomStringConvertible {
    package var store: String
    package var key: TransferKey

    package init(store: String, key: TransferKey) {
        self.store = store
        self.key = key
    }

    package var description: String { "\(key)" }
}
