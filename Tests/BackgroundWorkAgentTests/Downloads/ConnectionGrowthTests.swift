import Testing

@testable import BackgroundWorkAgent

@Suite("More connections for one file")
struct ConnectionGrowthTests {
    private let much: Int64 = 1 << 30

    @Test("connections are added while each makes the file faster, and no further")
    func whileFaster() {
        var growth = ConnectionGrowth(maximum: 4)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 1e6, bytesLeft: much) == true)
        #expect(growth.wantsAnother(connections: 2, bytesPerSecond: 2e6, bytesLeft: much) == true)
        #expect(growth.wantsAnother(connections: 3, bytesPerSecond: 3e6, bytesLeft: much) == true)
        #expect(growth.wantsAnother(connections: 4, bytesPerSecond: 4e6, bytesLeft: much) == false)
    }

    @Test("after an addition without effect no more are added")
    func settled() {
        var growth = ConnectionGrowth(maximum: 4)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 1e6, bytesLeft: much) == true)
        #expect(growth.wantsAnother(connections: 2, bytesPerSecond: 1.05e6, bytesLeft: much) == false)
        #expect(growth.isSettled)
        #expect(growth.wantsAnother(connections: 2, bytesPerSecond: 9e6, bytesLeft: much) == false)
    }

    @Test("a nearly complete or small file gets no further connection")
    func nearlyThere() {
        var growth = ConnectionGrowth(maximum: 4)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 1e9, bytesLeft: 3 << 30) == false)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 1, bytesLeft: 1 << 20) == false)
        #expect(!growth.isSettled)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 1e6, bytesLeft: much) == true)
    }

    @Test("no decision is made while no bytes arrive")
    func nothingMoves() {
        var growth = ConnectionGrowth(maximum: 4)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 0, bytesLeft: much) == false)
        #expect(growth.wantsAnother(connections: 0, bytesPerSecond: 1e6, bytesLeft: much) == false)
        #expect(!growth.isSettled)
    }

    @Test("a limit of one connection is decided at the start")
    func one() {
        var growth = ConnectionGrowth(maximum: 1)
        #expect(growth.isSettled)
        #expect(growth.wantsAnother(connections: 1, bytesPerSecond: 1e6, bytesLeft: much) == false)
    }
}
