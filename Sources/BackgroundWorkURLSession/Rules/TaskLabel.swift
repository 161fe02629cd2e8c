import BackgroundWorkModel
import BackgroundWorkTransfers

/// What travels in a task's `taskDescription`: enough to know the task again, and to take it over if the journal was
/// lost.
struct TaskLabel: Sendable, Hashable {
    var specification: TransferSpecification

    /// Other text than this package's is no label: such a task is of another owner.
    init?(_ description: String?) {
        guard let description, description.hasPrefix(Self.prefix),
            let specification = try? JSONCoding.value(
                TransferSpecification.self, from: String(description.dropFirst(Self.prefix.count)))
        else { return nil }
        self.specification = specification
    }

    init(_ specification: TransferSpecification) { self.specification = specification }

    func text() throws -> String { Self.prefix + (try JSONCoding.text(of: specification)) }

    private static let prefix = "BackgroundWork 1 "
}
