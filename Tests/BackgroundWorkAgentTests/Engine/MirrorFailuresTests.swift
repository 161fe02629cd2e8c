import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("The failures of a transfer's URLs")
struct MirrorFailuresTests {
    private func failures(_ messages: [String]) -> MirrorFailures {
        var failures = MirrorFailures()
        for message in messages {
            failures.add(TransferFailure(kind: .network, message: message, isRetryable: false))
        }
        return failures
    }

    @Test("without mirrors the message is that of the failure")
    func none() { #expect(failures([]).message(endingWith: "It failed.") == "It failed.") }

    @Test("the first URL's failure is the first, and the mirrors' follow in their order")
    func order() {
        #expect(failures(["First."]).message(endingWith: "Last.") == "First. Its mirror failed as well: Last.")
        #expect(
            failures(["First.", "Second."]).message(endingWith: "Last.")
                == "First. Its mirrors failed as well: Second. Last.")
    }

    @Test("of many mirrors the first URL and the last ones are kept, and no message is long")
    func many() {
        let long = String(repeating: "x", count: 100_000)
        let failures = failures((0..<1_000).map { "\($0). \(long)" })
        let message = failures.message(endingWith: "Last.")
        #expect(message.hasPrefix("0. xxx") && message.hasSuffix("Last."))
        #expect(message.contains("(992 more are not shown)") && message.contains("… 999. x"))
        #expect(!message.contains("992. ") && message.contains("993. "))
        #expect(message.utf8.count < 20_000)
    }
}
