/// Processes the outcomes of sessions: a scheduler, a `Downloader` or an `Uploader`.
protocol SessionEventOwner: AnyObject, Sendable {
    /// Whether it has transfers in a session, or begins them there when nothing else is asked for.
    func owns(session: String) async -> Bool
    /// Calls the handler once, on the main actor, when what waits in the session has been processed.
    @MainActor func handleEvents(ofSession session: String, then handler: @escaping () -> Void)
    /// The system has handed over events that nobody took.
    func reportUnclaimed(_ message: String)
}
