import BackgroundWork
import Foundation
import TestSupport
import Testing

/// Who holds a durable subscriber's name while it passes from one stream to the next.
@Suite(.timeLimit(.minutes(10)))
struct SubscriberHoldTests {
    let fixture: SchedulerFixture

    init() throws { fixture = try SchedulerFixture() }

    @Test("a name that is opened again while its last stream releases it stays with the new stream")
    func openedAgain() async throws {
        let scheduler = try fixture.open()
        let other = try fixture.open()
        let names = (0..<50).map { "subscriber-\($0)" }
        let streams = Recorder<AsyncStream<TaskCompletionEvent>>()
        let isOver = Recorder<Bool>()
        // Much to do in the background, where the readers are.
        let background = (0..<8).map { _ in
            Task(priority: .background) {
                while isOver.values.isEmpty {
                    spin(for: .milliseconds(2))
                    await Task.yield()
                }
            }
        }
        try await Task(priority: .high) {
            for name in names {
                let end = Latch()
                let isOpen = Latch()
                let reader = Task(priority: .background) {
                    let stream = try await scheduler.eventBus.events(for: name)
                    isOpen.open()
                    await end.wait()
                    withExtendedLifetime(stream) {}
                }
                await isOpen.wait()
                end.open()
                // Free as soon as its stream has ended.
                var again: AsyncStream<TaskCompletionEvent>?
                while again == nil {
                    do {
                        again = try await scheduler.eventBus.events(for: name)
                    } catch SubscriptionError.held {
                        try await Task.sleep(for: .microseconds(200))
                    }
                }
                if let again { streams.add(again) }
                try await reader.value
            }
        }.value
        isOver.add(true)
        for task in background { await task.value }
        var taken = 0
        for name in names {
            do {
                _ = try await other.eventBus.events(for: name)
                taken += 1
            } catch SubscriptionError.held {}
        }
        #expect(taken == 0, "\(taken) of 50 names had two holders")
        withExtendedLifetime(streams) {}
        await other.shutdown()
        await scheduler.shutdown()
    }
}
