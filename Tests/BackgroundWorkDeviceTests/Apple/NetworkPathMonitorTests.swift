import BackgroundWorkModel
import Network
import Testing

@testable import BackgroundWorkDevice

extension AppleDeviceTests {
    /// NWPathMonitor, whose path the test sets.
    struct NetworkPathMonitorTests {
        private let device = PlatformDeviceState(directory: "/")

        private func satisfied() async -> Constraints { await device.state().satisfied.intersection(.unmeteredNetwork) }

        @Test("the path is read, with no subscription, and no monitor remains")
        func once() async {
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
            #expect(NetworkShim.monitorCount == 0)
        }

        @Test("each change of the path is reported, without polling, while there is a subscription")
        func changes() async {
            NetworkShim.setPath(.unsatisfied)
            do {
                var changes = device.changes(of: .unmeteredNetwork).makeAsyncIterator()
                #expect(await changes.next()?.unmet(.unmeteredNetwork) == .unmeteredNetwork)
                NetworkShim.setPath(.satisfied, isExpensive: true, interfaces: [.cellular])
                #expect(await changes.next()?.satisfied.contains(.network) == true)
                NetworkShim.setPath(.satisfied, interfaces: [.wifi, .other])
                #expect(await changes.next()?.unmet(.unmeteredNetwork) == [])
                #expect(NetworkShim.monitorCount == 1)
            }
            device.executor.queue.sync {}
            #expect(NetworkShim.monitorCount == 0)
        }
    }
}
