/// What is to be done to one entry of the state file.
struct StateChange: Sendable {
    /// The entry's name, as it is spelled between the quotes of a JSON string.
    let name: [UInt8]
    /// The entry's JSON; `nil` to remove it.
    let value: [UInt8]?

    static func put(_ entry: TransferEntry) -> StateChange {
        StateChange(name: StateDocument.spelling(of: entry.name), value: entry.json)
    }

    static func remove(session: String, task: Int64) -> StateChange {
        StateChange(name: StateDocument.spelling(of: TransferEntry.name(session: session, task: task)), value: nil)
    }
}
