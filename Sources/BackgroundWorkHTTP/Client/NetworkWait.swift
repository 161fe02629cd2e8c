import BackgroundWorkDevice
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Waits until the device has a network. Nothing is watched while nobody waits.
package struct NetworkWait: Sendable {
    /// Of this device, shared by all who wait.
    package static let ofDevice: any DeviceStateReader = PlatformDeviceState.network()

    private let device: any DeviceStateReader
    private let environment: @Sendable () -> [String: String]

    package init(
        _ device: any DeviceStateReader = ofDevice,
        environment: @escaping @Sendable () -> [String: String] = ProxyVariables.ofProcess
    ) {
        self.device = device
        self.environment = environment
    }

    /// Whether a request for this URL of HTTP has to wait now.
    package func isNeeded(for url: String, by proxy: ProxyChoice) async -> Bool {
        guard needsNetwork(url, proxy) else { return false }
        return await !isConnected
    }

    private var isConnected: Bool { get async { await device.state().unmet(.network).isEmpty } }

    /// Not if what is dialed is certainly on this machine or in its own network, which needs no route to another one.
    private func needsNetwork(_ url: String, _ proxy: ProxyChoice) -> Bool {
        if URLDestination(url: url).isLocal { return false }
        // By the policy that finds most proxies; whatever is wrong with one is for the transport to say.
        let proxy = try? ProxyRules.resolved(proxy, for: url, under: .unrestricted, environment: environment)
        guard case .url(let address)? = proxy else { return true }
        return !URLDestination(proxy: address).isLocal
    }

    /// Returns when there is a network. Throws `CancellationError`.
    package func untilConnected() async throws {
        let changes = device.changes(of: .network)
        // It may have come since it was looked for.
        if await isConnected { return }
        for await state in changes where state.unmet(.network).isEmpty { return }
        // The watch has ended, so nothing speaks against a try.
        try Task.checkCancellation()
    }
}
