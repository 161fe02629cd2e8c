import BackgroundWorkExchange
import BackgroundWorkModel
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
            ("http://h:80/", "http://h:80/", "h"), ("http://h/\n", "http://h/?", "h"),
            ("nonsense?x=secret", "nonsense", ""),
        ])
    func redaction(url: String, redacted: String, host: String) {
        #expect(TransferURL(url).redacted == redacted)
        #expect(TransferURL(url).host == host)
    }

    @Test("slots go to the most urgent, then to the earliest, within the limits of host, session and agent")
    func places() {
        var limits = TransferLimits()
        (limits.perHost, limits.overall, limits.perSession) = (2, 4, 3)
        var queue = TransferQueue(limits: limits)
        let waiting: [(Int64, String, String, WorkPriority)] = [
            (1, "a", "s", .normal), (2, "a", "s", .normal), (3, "a", "s", .high), (4, "b", "s", .low),
            (5, "b", "s", .low), (6, "b", "t", .low),
        ]
        for (task, host, session, priority) in waiting {
            queue.add(task: task, line: .init(host: host, session: session), priority: priority)
        }
        #expect(queue.takeStartable() == [3, 1, 4, 6])
        #expect(queue.takeStartable() == [])
        queue.remove(task: 4)
        #expect(queue.takeStartable() == [5])
        queue.remove(task: 1)
        queue.remove(task: 2)
        #expect(queue.takeStartable() == [])
        queue.remove(task: 99)
        queue.add(task: 7, line: .init(host: "a", session: "t"), priority: .normal)
        #expect(queue.takeStartable() == [7])
        limits.perHost = 6
        queue.add(task: 8, line: .init(host: "b", session: "t"), priority: .critical)
        #expect(queue.takeStartable() == [])
        limits.overall = 5
        queue.limits = limits
        #expect(queue.takeStartable() == [8])
    }

    @Test("a queue keeps its order when members are added and removed")
    func line() {
        var generator = SystemRandomNumberGenerator()
        var line = WaitingLine()
        var expected: [WaitingLine.Place] = []
        for task in 0..<2000 {
            let place = WaitingLine.Place(urgency: Int.random(in: 0...3, using: &generator), task: Int64(task))
            line.insert(place)
            expected.append(place)
            if Bool.random(using: &generator), let gone = expected.randomElement(using: &generator) {
                line.remove(gone)
                expected.removeAll { $0 == gone }
            }
            if task % 3 == 0 {
                #expect(line.first == expected.min())
                if let first = expected.min() { expected.removeAll { $0 == first } }
                line.removeFirst()
            }
        }
        while let first = expected.min() {
            #expect(line.first == first)
            line.removeFirst()
            expected.removeAll { $0 == first }
        }
        #expect(line.isEmpty)
    }

    @Test("our range headers win, and the client's others are sent once")
    func headers() throws {
        let lines = try RequestHeaders.lines(
            options(["range": "bytes=0-1", "ACCEPT-ENCODING": "br", "X-A": "b", "X-Empty": ""]),
            own: [("Range", "bytes=7-"), ("If-Range", "\"v\"")], token: nil, url: TransferURL("http://h/"))
        #expect(
            lines == [
                "Range: bytes=7-", "If-Range: \"v\"", "X-A: b", "X-Empty;", "User-Agent: BackgroundWork/1",
            ])
        let own = try RequestHeaders.lines(
            options(["user-agent": "mine", "authorization": "Bearer old"]), own: [], token: "new",
            url: TransferURL("http://h/"))
        #expect(own == ["Authorization: Bearer new", "user-agent: mine"])
    }

    @Test(
        "a header that would break the request apart is rejected",
        arguments: [
            ("X", "a\r\nb"), ("X", "a\nb"), ("X", "a\0b"), ("X Y", "a"), ("X:", "a"), ("", "a"), ("X\r\nY", "a"),
        ])
    func brokenHeaders(name: String, value: String) {
        let failure = #expect(throws: TransferFailure.self) {
            try RequestHeaders.lines(
                options([name: value]), own: [], token: nil, url: TransferURL("http://h/"))
        }
        #expect(failure?.kind == .invalid)
        #expect(failure?.isRetryable == false)
    }

    private func options(_ headers: [String: String]) -> TransferOptions {
        var options = TransferOptions()
        options.headers = headers
        return options
    }
}
