import BackgroundWorkModel
import Foundation
import Testing

/// Ids that the package makes up.
struct WorkIdentifierTests {
    @Test("generated ids are UUIDs of version 7, in the order of their time, and no two are the same")
    func form() throws {
        let date = Date(timeIntervalSince1970: 1_645_557_742)  // the example of RFC 9562, A.6
        let ids = (0..<1000).map { WorkIdentifier.make(at: date.addingTimeInterval(Double($0))) }
        #expect(ids == ids.sorted())
        #expect(ids[0].hasPrefix("017f22e2-79b0-7"))
        for id in ids {
            let uuid = try #require(UUID(uuidString: id))
            #expect(uuid.uuid.6 >> 4 == 7)
            #expect(uuid.uuid.8 >> 6 == 0b10)
            #expect(id == id.lowercased())
        }
        #expect(Set((0..<10_000).map { _ in WorkIdentifier.make(at: date) }).count == 10_000)
    }

    @Test("times before 1970 and far in the future work", arguments: [-1e12, 1e15, .infinity, .nan])
    func oddTimes(seconds: Double) {
        #expect(UUID(uuidString: WorkIdentifier.make(at: Date(timeIntervalSince1970: seconds))) != nil)
    }

    @Test(
        "ids of members are told by their form",
        arguments: [
            ("c/0.0", "c"), ("a/b/12.3", "a/b"), ("c/01.0", nil), ("c/1.00", nil), ("c/1", nil), ("/1.0", nil),
            ("c/1.0.0", nil), ("c/.0", nil), ("c/-1.0", nil), ("c/1.0 ", nil), ("1.0", nil),
        ] as [(String, String?)])
    func members(id: String, chain: String?) { #expect(ChainSteps.chain(ofMember: id) == chain) }
}
