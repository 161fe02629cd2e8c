import BackgroundWorkModel
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWorkHTTP

@Suite("Preparing a request within its time")
struct PreparationTests {
    private let clock = ManualClock()
    private let sender = ScriptedSender { _ in .of() }

    private func client(_ prepare: @escaping @Sendable (inout HTTPRequest) async throws -> Void) -> APIClient {
        var client = APIClient("https://u:p@h/v2", sending: sender, clock: clock)
        client.timeouts.resource = .seconds(10)
        client.waitsForConnectivity = false
        client.prepare = prepare
        return client
    }

    @Test("what it takes is taken from the time for the whole, also from one that it sets")
    func counted() async throws {
        let clock = clock
        try await client { _ in clock.advance(by: .seconds(4)) }.post("a")
        try await client { request in
            clock.advance(by: .seconds(4))
            request.timeouts.resource = .seconds(60)
        }.post("a")
        #expect(sender.sent.map(\.timeouts.resource) == [.seconds(6), .seconds(56)])
    }

    @Test("one that takes longer fails the request and is cancelled, also if it does not end")
    func late() async throws {
        let (isCancelled, mayEnd) = (Latch(), Latch())
        let client = client { _ in
            await withTaskCancellationHandler {
                await mayEnd.wait()
            } onCancel: {
                isCancelled.open()
            }
        }
        async let answer: Void = client.post("a")
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(10))
        do {
            try await answer
            Issue.record("sent")
        } catch let error as HTTPError {
            #expect(error.kind == .timeout && error.isRetryable)
            #expect(
                error.message
                    == "POST https://h/v2/a: its preparation was not complete after 10000 ms. Try again, or allow more "
                    + "time.")
        }
        await isCancelled.wait()
        mayEnd.open()
        #expect(sender.sent.isEmpty && clock.sleepers == 0)
    }

    @Test("one that has used up the time sends nothing")
    func usedUp() async {
        let clock = clock
        await #expect { try await client { _ in clock.advance(by: .seconds(10)) }.post("a") } throws: {
            ($0 as? HTTPError)?.kind == .timeout
        }
        #expect(sender.sent.isEmpty)
    }

    @Test("a cancelled request does not wait for it, and what it throws is thrown")
    func ends() async throws {
        let (begun, mayEnd) = (Latch(), Latch())
        let client = client { _ in
            begun.open()
            await mayEnd.wait()
        }
        let task = Task { try await client.post("a") }
        await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        mayEnd.open()
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await self.client { _ in throw Failure() }.post("a") }
        #expect(sender.sent.isEmpty)
    }
}
