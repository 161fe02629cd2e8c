import TestSupport
import Testing

@testable import BackgroundWork

/// When the handlers of a session are called.
@MainActor
struct SessionEventsTests {
    private let events = SessionEvents()
    private let called = Recorder<String>()

    private func wait(_ session: String, as name: String? = nil) {
        events.wait(for: session) { [called] in called.add(name ?? session) }
    }

    /// What has been called once everything that was put on the main actor before this has run.
    private func settled() async -> [String] {
        await Task { @MainActor in called.values }.value
    }

    @Test("a handler waits until it is known what the daemon has, and is called once")
    func unknown() async {
        wait("a")
        #expect(await settled() == [])
        events.known()
        events.known()
        #expect(await settled() == ["a"])
        events.finish()
        #expect(await settled() == ["a"])
    }

    @Test("a handler is never called before the call that gave it has returned")
    func later() async {
        events.known()
        wait("a")
        #expect(called.values == [])
        #expect(await settled() == ["a"])
    }

    @Test("a handler waits for every outcome of its session that is there, and for none of another")
    func sessions() async {
        let first = events.begin(of: "a")
        let second = events.begin(of: "a")
        _ = events.begin(of: "stuck")
        events.known()
        wait("a")
        wait("stuck")
        wait("idle")
        #expect(await settled() == ["idle"])
        events.end(second, of: "a")
        #expect(await settled() == ["idle"])
        events.end(first, of: "a")
        #expect(await settled() == ["idle", "a"])
    }

    @Test("later outcomes do not delay a handler that waits already")
    func laterOutcomes() async {
        let first = events.begin(of: "a")
        events.known()
        wait("a")
        _ = events.begin(of: "a")
        events.end(first, of: "a")
        #expect(await settled() == ["a"])
    }

    @Test("outcomes that come while a connection is being made count")
    func connecting() async {
        events.known()
        events.connecting()
        wait("a")
        let outcome = events.begin(of: "a")
        events.known()
        #expect(await settled() == [])
        events.end(outcome, of: "a")
        #expect(await settled() == ["a"])
    }

    @Test("each handler that a session was given is called once")
    func twice() async {
        let outcome = events.begin(of: "a")
        events.known()
        wait("a", as: "first")
        wait("a", as: "second")
        events.end(outcome, of: "a")
        #expect(await settled() == ["first", "second"])
    }

    @Test("the end calls the waiting handlers, and later ones")
    func end() async {
        wait("a")
        events.finish()
        #expect(await settled() == ["a"])
        wait("b")
        #expect(await settled() == ["a", "b"])
    }

    @Test("handlers of a scheduler that goes without a start are called as well")
    func gone() async {
        var events: SessionEvents? = SessionEvents()
        events?.wait(for: "a") { [called] in called.add("a") }
        events = nil
        #expect(await settled() == ["a"])
    }
}
