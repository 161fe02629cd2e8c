import BackgroundWorkDevice
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Sends requests as soon as the device has a network.
struct ConnectivitySender: HTTPSending {
    /// Of this device, shared by all clients.
    static var device: any DeviceStateReader { NetworkWait.ofDevice }

    let device: any DeviceStateReader
    let clock: any WorkClock
    let next: any HTTPSending
    var environment: @Sendable () -> [String: String] = ProxyVariables.ofProcess

    func send(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        let network = NetworkWait(device, environment: environment)
        guard await network.isNeeded(for: request.url, by: request.proxy) else {
            return try await next.send(request, progress: progress)
        }
        let limit = request.timeouts.resource
        let start = clock.uptime
        guard try await wait(for: network, atMost: limit) else { throw late(request) }
        var rest = request
        rest.timeouts.resource = limit - max(.zero, clock.uptime - start)
        guard rest.timeouts.resource > .zero else { throw late(request) }
        return try await next.send(rest, progress: progress)
    }

    /// Whether there was a network in time. Throws `CancellationError`.
    private func wait(for network: NetworkWait, atMost limit: Duration) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await network.untilConnected()
                return true
            }
            group.addTask {
                try await clock.sleep(for: limit)
                return false
            }
            return try await group.next() ?? true
        }
    }

    private func late(_ request: HTTPRequest) -> HTTPError {
        .timeout(
            "there was no network for", request.timeouts.resource, TransferURL(request.url, method: request.method))
    }
}
