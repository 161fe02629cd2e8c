import BackgroundWorkTransfers

/// Processes the outcomes of sessions: a scheduler, a `Downloader` or an `Uploader`.
protocol SessionEventOwner: AnyObject, Sendable {
    /// The session of transfers that name none.
    var sessionIdentifier: String { get }
    var stateStore: TransferStateStore { get }
    var service: any TransferService { get }
    /// The outcomes that are being processed.
    var sessions: SessionEvents { get }
    var notices: NoticeLog { get }
}

extension SessionEventOwner {
    /// Whether it has transfers in a session, or begins them there when nothing else is asked for.
    func owns(session: String) async -> Bool {
        if session == sessionIdentifier { return true }
        let entries = try? await stateStore.loadEntries()
        return entries?.contains { $0.sessionIdentifier == session } ?? false
    }

    /// Calls the handler once, on the main actor, when what waits in the session has been processed.
    @MainActor
    func handleEvents(ofSession session: String, then handler: @escaping () -> Void) {
        let service = service
        sessions.wait(for: session, delivered: { await service.untilDelivered(session: session) }, then: handler)
    }

    /// Something about a session that the system has handed over.
    func report(_ kind: SchedulerNotice.Kind, _ message: String) { notices.add(kind, message) }
}
