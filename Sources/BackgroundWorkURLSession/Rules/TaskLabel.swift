import BackgroundWorkModel
import BackgroundWorkTransfers

/// What travels in a task's `taskDescription`: enough to know the task again, and to take it over if the journal was
/// lost.
struct TaskLabel: Sendable, Hashable {
    var specification: TransferSpecification

    /// Other text than this package's is no label: such a task is of another owner.
    init?(_ description: String?) {
        guard let (_, rest) = Self.head(of: description),
            let specification = try? FastJSON.value(TransferSpecification.self, from: String(rest))
        else { return nil }
        self.specification = specification
    }

    /// Whose task it is: what each of its events asks, without reading all of the label.
    static func reference(in description: String?) -> TransferReference? { head(of: description)?.reference }

    private static func head(of description: String?) -> (reference: TransferReference, rest: Substring)? {
        guard let description, description.hasPrefix(prefix) else { return nil }
        let words = description.dropFirst(prefix.count).split(separator: " ", maxSplits: 2)
        guard words.count == 3, let storeBytes = Int(words[0]), let keyBytes = Int(words[1]) else { return nil }
        let text = words[2].utf8
        guard storeBytes >= 0, keyBytes >= 0,
            let storeEnd = text.index(text.startIndex, offsetBy: storeBytes, limitedBy: text.endIndex),
            let keyEnd = text.index(storeEnd, offsetBy: keyBytes, limitedBy: text.endIndex),
            let store = String(text[..<storeEnd]),
            let key = String(text[storeEnd..<keyEnd]).flatMap({ TransferKey($0) })
        else { return nil }
        return (TransferReference(store: store, key: key), words[2][keyEnd...])
    }

    init(_ specification: TransferSpecification) {
        self.specification = specification
        // The system keeps it outside of this user's private folder, with the request.
        if case .basic = specification.options.authentication { self.specification.options.authentication = nil }
        if case .digest = specification.options.authentication { self.specification.options.authentication = nil }
        self.specification.options.tls.clientKeyPassword = nil
        guard case .download(var job) = specification.job else { return }
        // The task has it already.
        job.resumeToken = nil
        self.specification.job = .download(job)
    }

    /// The lengths of store and key in bytes, both, and the specification as JSON.
    func text() throws -> String {
        let reference = specification.reference
        let key = reference.key.description
        return "\(Self.prefix)\(reference.store.utf8.count) \(key.utf8.count) \(reference.store)\(key)"
            + (try FastJSON.text(of: specification))
    }

    /// What a transfer goes by that the ancestor of this package has begun, and a store has taken over. It is of no work
    /// store, but its events are that store's.
    static func adopted(_ entry: TransferEntry, by store: String) -> TransferReference {
        TransferReference(store: adoption + store, key: TransferKey(workID: entry.name, generation: 1))
    }

    /// The store that a task's events go to.
    static func receivingStore(in description: String?) -> String? {
        reference(in: description).map { reference in
            reference.store.hasPrefix(adoption) ? String(reference.store.dropFirst(adoption.count)) : reference.store
        }
    }

    private static let adoption = "ancestor/"
    private static let prefix = "BackgroundWork 1 "
}
