import BackgroundWorkModel

/// Work that waits for the end of what bears its id, with what its scheduler allowed when it accepted it.
enum AppendedWork: Sendable, Codable {
    /// `dialsAnyAddress` is left out for no.
    case single(TaskRequest, TaskTrigger, dialsAnyAddress: Bool?)
    case chain(ChainSteps, dialsAnyAddress: Bool?)

    /// See ``WorkFlags/dialsAnyAddress``.
    var dialsAnyAddress: Bool {
        switch self {
        case .single(_, _, let allowed), .chain(_, let allowed): allowed ?? false
        }
    }
}
