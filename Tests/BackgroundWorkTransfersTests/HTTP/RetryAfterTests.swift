import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("Retry-After and HTTP's dates")
struct RetryAfterTests {
    private static let nov1994: Int64 = 784_111_777_000

    @Test(
        "the three forms of a date mean the same instant",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "sun, 06 nov 1994 08:49:37 gmt",
        ])
    func forms(text: String) {
        #expect(HTTPDate.milliseconds(text) == Self.nov1994)
    }

    @Test(
        "days are counted right across leap years and centuries",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400_000),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199_000), ("Sun, 01 Mar 2026 00:00:00 GMT", 1_772_323_200_000),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400_000), ("Wed, 31 Dec 1969 23:59:59 GMT", -1000),
        ] as [(String, Int64)])
    func calendar(text: String, milliseconds: Int64) {
        #expect(HTTPDate.milliseconds(text) == milliseconds)
    }

    @Test(
        "text that is not an HTTP date is not parsed as one",
        arguments: [
            "", " ", "tomorrow", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 9223372036854775807 08:49:37 GMT", "1994-11-06T08:49:37Z",
            "Sun, 06 Nov 1994 08:49:37 GMT extra",
            "\u{0}\u{0} \u{0} \u{0} \u{0} \u{0}",
        ])
    func nonsense(text: String) {
        #expect(HTTPDate.milliseconds(text) == nil)
    }

    @Test("seconds count from now; a date is waited for, and one that has passed is not a wait")
    func waits() {
        let now = WallTime(milliseconds: Self.nov1994 - 5000)
        #expect(RetryAfter.milliseconds("0", now: now) == 0)
        #expect(RetryAfter.milliseconds("120", now: now) == 120_000)
        #expect(RetryAfter.milliseconds("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == 5000)
        #expect(RetryAfter.milliseconds("Thu, 01 Jan 1970 00:00:00 GMT", now: now) == 0)
    }

    @Test("a number with too many digits is an unlimited wait and does not crash")
    func overflow() {
        for text in ["9223372036854775807", "9223372036854775808", String(repeating: "9", count: 5000)] {
            #expect(RetryAfter.milliseconds(text, now: WallTime(milliseconds: 0)) == .max)
        }
        let far = RetryAfter.milliseconds("Fri, 31 Dec 9999 23:59:59 GMT", now: WallTime(milliseconds: .min / 2))
        #expect((far ?? 0) > 0)
    }

    @Test("anything else says nothing", arguments: ["", "-1", "+1", "1.5", "1 s", " 1", "0x10", "soon", "１"])
    func neither(text: String) {
        #expect(RetryAfter.milliseconds(text, now: WallTime(milliseconds: 0)) == nil)
    }
}
