import BackgroundWorkTransfers

/// What a transfer is doing, in words.
package enum PhaseText {
    /// One word, the same in every version, as JSON has it too.
    package static func name(_ phase: TransferPhase) -> String {
        switch phase {
        case .waiting: "waiting"
        case .running: "running"
        case .paused: "paused"
        case .finishing: "finishing"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }

    /// With what it waits for, or why it failed.
    package static func words(_ phase: TransferPhase) -> String {
        switch phase {
        case .waiting(let reason): "waiting for \(words(reason))"
        case .failed(let message): "failed: \(TerminalText.harmless(message))"
        default: name(phase)
        }
    }

    private static func words(_ reason: TransferPhase.Reason) -> String {
        switch reason {
        case .host: "its host"
        case .place: "a place"
        case .earliestBegin: "its earliest begin"
        case .network: "a network"
        case .unmeteredNetwork: "an unmetered network"
        case .power: "external power"
        case .nextTry: "the next try"
        }
    }
}
