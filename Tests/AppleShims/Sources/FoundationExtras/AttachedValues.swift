import Synchronization

/// Stored properties for objects of classes that are only extended here. A value lives as long as its object.
final class AttachedValues<Value>: Sendable {
    /// A value is handed out as the caller attached it; what may cross threads, its own class says.
    private struct Entry: @unchecked Sendable {
        weak var owner: AnyObject?
        var value: Value
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    subscript(owner: AnyObject) -> Value? {
        get {
            let entry = entries.withLock { $0[ObjectIdentifier(owner)] }
            // Another object may be where a freed one was.
            return entry?.owner === owner ? entry?.value : nil
        }
        set {
            let entry = newValue.map { Entry(owner: owner, value: $0) }
            entries.withLock { entries in
                entries = entries.filter { $0.value.owner != nil }
                entries[ObjectIdentifier(owner)] = entry
            }
        }
    }
}
