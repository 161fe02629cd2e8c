#if os(Linux)
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("Rules of transfers")
struct TransferRulesTests {
    @Test(
        "messages show neither query nor user info",
        arguments: [
            (
                "https://user:secret@Host.example:8443/a/b?token=1#f", "https://Host.example:8443/a/b?…",
                "host.example:8443"
            ),
            ("http://h/a", "http://h/a", "h"), ("http://h?x", "http://h?…", "h"), ("http://h/a#?x", "http://h/a", "h"),
            ("http://a@b@h/x@y", "http://h/x@y", "h"), ("HTTP://H/", "http://H/", "h"),
            ("nonsense?x=secret", "nonsense", ""),
        ])
    func redaction(url: String, redacted: String, host: String) {
        #expect(TransferURL(url).redacted == redacted)
        #expect(TransferURL(url).host == host)
    }

    @Test("slots go to who came first, within the limits of host and agent")
    func slots() {
        var slots = TransferSlots(perHost: 2, overall: 3)
        for (task, host) in [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "b")] as [(Int64, String)] {
            slots.add(task: task, host: host)
        }
        #expect(slots.takeStartable() == [1, 2, 4])
        #expect(slots.takeStartable() == [])
        slots.remove(task: 4)
        #expect(slots.takeStartable() == [5])
        slots.remove(task: 1)
        slots.remove(task: 3)
        #expect(slots.takeStartable() == [])
        slots.remove(task: 99)
        slots.add(task: 6, host: "a")
        #expect(slots.takeStartable() == [6])
    }

    @Test("our range headers win, and the client's others are sent once")
    func headers() throws {
        let lines = try RequestHeaders.lines(
            for: specification(["range": "bytes=0-1", "ACCEPT-ENCODING": "br", "X-A": "b", "X-Empty": ""]),
            url: TransferURL("http://h/"), offset: 7, validator: "\"v\"")
        #expect(
            lines == [
                "Accept-Encoding: identity", "Range: bytes=7-", "If-Range: \"v\"", "X-A: b", "X-Empty;",
                "User-Agent: BackgroundWork/1",
            ])
        let own = try RequestHeaders.lines(
            for: specification(["user-agent": "mine"]), url: TransferURL("http://h/"), offset: 0, validator: "\"v\"")
        #expect(own == ["Accept-Encoding: identity", "user-agent: mine"])
    }

    @Test(
        "a header that would break the request apart is refused",
        arguments: [
            ("X", "a\r\nb"), ("X", "a\nb"), ("X", "a\0b"), ("X Y", "a"), ("X:", "a"), ("", "a"), ("X\r\nY", "a"),
        ])
    func brokenHeaders(name: String, value: String) {
        let failure = #expect(throws: TransferFailure.self) {
            try RequestHeaders.lines(
                for: specification([name: value]), url: TransferURL("http://h/"), offset: 0, validator: nil)
        }
        #expect(failure?.kind == .invalid)
        #expect(failure?.isRetryable == false)
    }

    private func specification(_ headers: [String: String]) -> TransferSpecification {
        .sample(url: "http://h/", headers: headers)
    }
}
#endif
