import BackgroundWorkTransfers

/// What the journal held when the agent started.
struct StartingState: Sendable {
    var epoch: String
    var active: [TransferRecord]
    var outcomes: [RecordedOutcome]
    var launchCommand: LaunchCommand?
    var wakes: [String: WakeList]
    var limits: TransferLimits?
}
