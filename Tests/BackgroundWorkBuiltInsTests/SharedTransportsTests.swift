import BackgroundWorkModel
import BackgroundWorkTesting
import Testing

@testable import BackgroundWorkBuiltIns

@Suite struct SharedTransportsTests {
    @Test("work of one policy shares a transport, and never that of another policy")
    func byPolicy() {
        let transports = SharedTransports()
        let clock = ManualClock()
        let first = BuiltInServices(securityPolicy: .publicInternet, transports: transports, clock: clock)
        let second = BuiltInServices(securityPolicy: .publicInternet, transports: transports, clock: clock)
        let other = BuiltInServices(securityPolicy: .unrestricted, transports: transports, clock: clock)
        #expect(first.transport === second.transport)
        #expect(first.transport !== other.transport)
        #expect(other.transport.configuration.securityPolicy == .unrestricted)
    }
}
