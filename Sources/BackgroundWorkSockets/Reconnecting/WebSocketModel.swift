import Observation

/// The status of a ``ReconnectingWebSocket``, for user interfaces.
///
/// ```swift
/// struct ConnectionLabel: View {
///     let model: WebSocketModel
///     var body: some View { Text(model.state == .connected ? "live" : "offline") }
/// }
/// ```
///
/// It follows the socket until it is released, and keeps it until then.
@MainActor @Observable
public final class WebSocketModel {
    /// Whether there is a connection.
    public private(set) var state: WebSocketStatus.State
    /// Why there is none; `nil` while there is one, and before the first attempt has ended.
    public private(set) var reason: WebSocketStatus.Reason?
    /// Whether no attempt follows any more.
    public private(set) var isFinal: Bool

    @ObservationIgnored private let socket: ReconnectingWebSocket
    @ObservationIgnored private var following: FollowingTask?

    /// Starts to follow.
    public init(_ socket: ReconnectingWebSocket) {
        self.socket = socket
        let status = socket.status
        (state, reason, isFinal) = (status.state, status.reason, status.isFinal)
        let statuses = socket.statuses
        following = FollowingTask { [weak self] in
            for await status in statuses {
                guard let self else { return }
                show(status)
            }
        }
    }

    private func show(_ status: WebSocketStatus) {
        // Only changes are told on.
        if state != status.state { state = status.state }
        if reason != status.reason { reason = status.reason }
        if isFinal != status.isFinal { isFinal = status.isFinal }
    }
}

/// Ends with the one who holds it.
private final class FollowingTask: Sendable {
    private let task: Task<Void, Never>

    init(_ work: @escaping @MainActor @Sendable () async -> Void) { task = Task { await work() } }

    deinit { task.cancel() }
}
