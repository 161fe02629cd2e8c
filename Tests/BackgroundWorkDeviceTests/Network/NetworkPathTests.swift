import BackgroundWorkModel
import Testing

@testable import BackgroundWorkDevice

struct NetworkPathTests {
    private func satisfied(_ path: NetworkPath) -> Constraints {
        #expect(path.state.unreadable == [])
        return path.state.satisfied
    }

    @Test("a path that connections can use now is a network, which is not metered")
    func plain() {
        #expect(satisfied(NetworkPath(isSatisfied: true)) == .unmeteredNetwork)
        #expect(satisfied(NetworkPath(isSatisfied: true, interfaces: [.wifi])) == .unmeteredNetwork)
        #expect(satisfied(NetworkPath(isSatisfied: true, interfaces: [.other, .loopback])) == .unmeteredNetwork)
    }

    @Test("one that is expensive, or in Low Data Mode, is metered")
    func metered() {
        #expect(satisfied(NetworkPath(isSatisfied: true, isExpensive: true, interfaces: [.cellular])) == .network)
        #expect(satisfied(NetworkPath(isSatisfied: true, isConstrained: true, interfaces: [.wifi])) == .network)
        #expect(satisfied(NetworkPath(isSatisfied: true, isExpensive: true, isConstrained: true)) == .network)
    }

    @Test("a cellular network that is not expensive is not metered")
    func cheapCellular() {
        #expect(satisfied(NetworkPath(isSatisfied: true, interfaces: [.cellular])) == .unmeteredNetwork)
    }

    @Test("a path that nothing can use, and loopback alone, are no network")
    func none() {
        #expect(satisfied(NetworkPath(isSatisfied: false, interfaces: [.wifi])) == [])
        #expect(satisfied(NetworkPath(isSatisfied: false, isExpensive: true)) == [])
        #expect(satisfied(NetworkPath(isSatisfied: true, interfaces: [.loopback])) == [])
    }
}
