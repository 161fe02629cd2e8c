import BackgroundWorkModel
import Network
import TestSupport
import Testing

@testable import BackgroundWorkDevice

extension AppleDeviceTests {
    /// NWPathMonitor, whose path the test sets.
    struct NetworkPathMonitorTests {
        private let device = PlatformDeviceState(directory: "/")

        private func satisfied() async -> Constraints { await device.state().satisfied.intersection(.unmeteredNetwork) }

        @Test("the path is read, with no subscription")
        func once() async {
            await ExclusiveUse.networkPath.hold {
                NetworkShim.setPath(.satisfied, interfaces: [.wifi])
                #expect(await satisfied() == .unmeteredNetwork)
                NetworkShim.setPath(.satisfied, isExpensive: true, interfaces: [.cellular])
                #expect(await satisfied() == .network)
                NetworkShim.setPath(.satisfied, isConstrained: true, interfaces: [.wifi])
                #expect(await satisfied() == .network)
                NetworkShim.setPath(.requiresConnection)
                #expect(await satisfied() == [])
                NetworkShim.setPath(.satisfied, interfaces: [.loopback])
                #expect(await satisfied() == [])
            }
        }

        @Test("each change of the path is reported, without polling")
        func changes() async {
            await ExclusiveUse.networkPath.hold {
                NetworkShim.setPath(.unsatisfied)
                var changes = device.changes(of: .unmeteredNetwork).makeAsyncIterator()
                #expect(await changes.next()?.unmet(.unmeteredNetwork) == .unmeteredNetwork)
                NetworkShim.setPath(.satisfied, isExpensive: true, interfaces: [.cellular])
                #expect(await changes.next()?.satisfied.contains(.network) == true)
                NetworkShim.setPath(.satisfied, interfaces: [.wifi, .other])
                #expect(await changes.next()?.unmet(.unmeteredNetwork) == [])
            }
        }

        @Test("the system's monitor runs as long as this one exists")
        func lifetime() {
            let system = NWPathMonitor()
            var monitor: NetworkPathMonitor? = NetworkPathMonitor(system) { _ in }
            #expect(NetworkShim.isRunning(system))
            withExtendedLifetime(monitor) {}
            monitor = nil
            #expect(!NetworkShim.isRunning(system))
        }
    }
}
