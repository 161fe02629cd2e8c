#if os(Linux)
/// What the agent tells unasked.
enum AgentNews: Sendable {
    case outcome(TransferOutcome)
    case progress([TransferProgress])
}
#endif
