import BackgroundWorkModel

/// Work that waits for the end of what bears its id.
enum AppendedWork: Sendable, Codable {
    case single(TaskRequest, TaskTrigger)
    case chain(ChainSteps)
}
