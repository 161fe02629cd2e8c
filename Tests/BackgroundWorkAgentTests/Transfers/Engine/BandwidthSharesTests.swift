import Testing

@testable import BackgroundWorkAgent

@Suite("Sharing a bandwidth")
struct BandwidthSharesTests {
    @Test("all get the same of a limit")
    func equal() {
        #expect(BandwidthShares.divide(900, among: [nil, nil, nil]) == [300, 300, 300])
        #expect(BandwidthShares.divide(900, among: [nil]) == [900])
        #expect(BandwidthShares.divide(900, among: []) == [])
    }

    @Test("what one may not use goes to the others")
    func spare() {
        #expect(BandwidthShares.divide(900, among: [nil, 100, nil]) == [400, 100, 400])
        #expect(BandwidthShares.divide(900, among: [50, 100, 10_000]) == [50, 100, 750])
        #expect(BandwidthShares.divide(900, among: [1000, 1000, 100]) == [400, 400, 100])
    }

    @Test("without a limit each keeps its own")
    func none() {
        #expect(BandwidthShares.divide(nil, among: [nil, 5]) == [nil, 5])
    }

    @Test("nobody gets nothing, which libcurl would take for no limit", arguments: [1, 2, 3, 10] as [Int64])
    func never(total: Int64) {
        let shares = BandwidthShares.divide(total, among: [nil, 1, nil, 7])
        #expect(shares.allSatisfy { ($0 ?? 0) >= 1 }, "\(shares)")
    }

    @Test("the shares are no more than the limit", arguments: [10, 1000, .max] as [Int64])
    func sum(total: Int64) {
        let shares = BandwidthShares.divide(total, among: [nil, 3, nil, 70, 1, nil])
        let sum = shares.reduce((0, false) as (Int64, Bool)) { sum, share in
            let (partial, overflow) = sum.0.addingReportingOverflow(share ?? .max)
            return (partial, sum.1 || overflow)
        }
        #expect(!sum.1)
        #expect(sum.0 <= total)
    }
}
