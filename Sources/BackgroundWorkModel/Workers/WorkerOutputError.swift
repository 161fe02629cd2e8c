import BackgroundWorkFoundation

/// An output could not be written, found or read. Retrying cannot help, so a request whose worker throws it fails at
/// once.
public enum WorkerOutputError: Error, Hashable, CustomStringConvertible {
    /// The value cannot be written as JSON.
    case notEncodable(type: String, reason: String)
    /// No earlier step of the chain has an output of this type.
    case notFound(type: String, workID: String)
    /// Several requests of the nearest earlier step that has one have an output of this type.
    case ambiguous(type: String, workIDs: [String])
    /// The output of this work exists, and is not of the type.
    case mismatch(type: String, workID: String, reason: String)
    /// The step does not precede that of the work: it is its own, a later one, one of another branch, or there is no
    /// step of that number.
    case notEarlier(step: Int, workID: String)

    /// What happened, to which work, and what to do.
    public var description: String {
        switch self {
        case .notEncodable(let type, let reason):
            "The output, \(type), cannot be written as JSON: \(reason)."
        case .notFound(let type, let workID):
            "No step before \"\(workID)\" has an output of the type \(type). Let an earlier worker return one with "
                + ".success(message:output:), and let its step end before this one starts."
        case .ambiguous(let type, let workIDs):
            "Several requests have an output of the type \(type): \(workIDs.joined(separator: ", ")). "
                + "Read them by position with outputs(ofStep:as:)."
        case .mismatch(let type, let workID, let reason):
            "The output of \"\(workID)\" is not of the type \(type): \(reason)."
        case .notEarlier(let step, let workID):
            "Step \(step) does not come before \"\(workID)\", so it has no outputs for it. Steps are counted from 0."
        }
    }

    /// The name of a type in messages.
    package static func name(of type: Any.Type) -> String { String(reflecting: type) }
}

extension WorkerOutputError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
