import BackgroundWorkModel
import BackgroundWorkTesting
import TestSupport
import Testing

@testable import BackgroundWorkHTTP

@Suite("Waiting for a network")
struct ConnectivityTests {
    private let clock = ManualClock()
    private let device = ConstraintSwitchboard(satisfied: [])
    private let sender = ScriptedSender { _ in .of() }

    private func connected(_ environment: [String: String] = [:]) -> ConnectivitySender {
        ConnectivitySender(device: device, clock: clock, next: sender, environment: { environment })
    }

    private func request(_ url: String = "https://example.com/", resource: Duration = .seconds(10)) -> HTTPRequest {
        var request = HTTPRequest(url)
        request.timeouts.resource = resource
        return request
    }

    @Test("a request is sent when the network comes, with what is left of its time")
    func waits() async throws {
        async let response = connected().send(request(), progress: nil)
        await clock.untilSleeping(atLeast: 1)
        #expect(sender.sent.isEmpty)
        clock.advance(by: .seconds(4))
        device.set([.charging])
        device.set([.network])
        #expect(try await response.status == 200)
        #expect(sender.sent.map(\.timeouts.resource) == [.seconds(6)])
    }

    @Test("a device with a network, or that cannot say, delays nothing")
    func immediate() async throws {
        device.set(.network)
        _ = try await connected().send(request(), progress: nil)
        device.set([], unreadable: [ConditionFault(.network, reason: "netlink is not allowed")])
        _ = try await connected().send(request(), progress: nil)
        #expect(sender.sent.map(\.timeouts.resource) == [.seconds(10), .seconds(10)])
        #expect(clock.sleepers == 0)
    }

    @Test("without a network in time the request fails, and may be tried again")
    func late() async throws {
        async let response = connected().send(request("https://u:p@example.com/a?b"), progress: nil)
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .seconds(10))
        do {
            _ = try await response
            Issue.record("sent")
        } catch let error as HTTPError {
            #expect(error.kind == .timeout && error.isRetryable)
            #expect(error.message.hasPrefix("GET https://example.com/a?…: there was no network for 10000 ms."))
        }
        #expect(sender.sent.isEmpty)
    }

    @Test("a cancelled wait ends at once, and nothing is sent")
    func cancelled() async {
        let sending = connected()
        let request = request()
        let task = Task { try await sending.send(request, progress: nil) }
        await clock.untilSleeping(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sender.sent.isEmpty)
    }

    @Test(
        "this machine and its own network need no route to another one",
        arguments: [
            "http://127.0.0.1:8080/", "http://localhost/", "http://[::1]/", "http://192.168.1.7/", "http://nas.local/",
        ])
    func local(url: String) async throws {
        _ = try await connected().send(request(url), progress: nil)
        #expect(sender.sent.count == 1)
    }

    @Test("a proxy on this machine is what is dialed")
    func proxy() async throws {
        _ = try await connected(["https_proxy": "http://127.0.0.1:3128"]).send(request(), progress: nil)
        var explicit = request()
        explicit.proxy = .url("socks5://localhost:1080")
        _ = try await connected().send(explicit, progress: nil)
        #expect(sender.sent.count == 2)
    }

    @Test("this machine's own device says what the scheduler's says")
    func ownDevice() async {
        let network = await ConnectivitySender.device.state().restricted(to: .network)
        #expect(!network.satisfied.isEmpty || !network.unmet(.network).isEmpty || !network.unreadable.isEmpty)
    }
}
