import BackgroundWorkDevice
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Sends requests as soon as the device has a network. Nothing is watched while none waits.
struct ConnectivitySender: HTTPSending {
    /// Of this device, shared by all clients.
    static let device: any DeviceStateReader = PlatformDeviceState.network()

    let device: any DeviceStateReader
    let clock: any WorkClock
    let next: any HTTPSending
    var environment: @Sendable () -> [String: String] = ProxyVariables.ofProcess

    func send(
        _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws -> HTTPResponse {
        guard needsNetwork(request), await !isConnected else { return try await next.send(request, progress: progress) }
        let limit = request.timeouts.resource
        let start = clock.uptime
        guard try await wait(atMost: limit) else { throw late(request) }
        var rest = request
        rest.timeouts.resource = limit - max(.zero, clock.uptime - start)
        guard rest.timeouts.resource > .zero else { throw late(request) }
        return try await next.send(rest, progress: progress)
    }

    private var isConnected: Bool { get async { await device.state().unmet(.network).isEmpty } }

    /// Whether what is dialed is certainly on this machine or in its own network, which needs no route to another one.
    private func needsNetwork(_ request: HTTPRequest) -> Bool {
        if URLDestination(url: request.url).isLocal { return false }
        // By the policy that finds most proxies; whatever is wrong with one is for the transport to say.
        let proxy = try? ProxyRules.resolved(
            request.proxy, for: request.url, under: .unrestricted, environment: environment)
        guard case .url(let address)? = proxy else { return true }
        return !URLDestination(proxy: address).isLocal
    }

    /// Whether there was a network in time. Throws `CancellationError`.
    private func wait(atMost limit: Duration) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let changes = device.changes(of: .network)
                // It may have come since it was looked for.
                if await isConnected { return true }
                for await state in changes where state.unmet(.network).isEmpty { return true }
                try Task.checkCancellation()
                // The watch has ended, so nothing speaks against a try.
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
