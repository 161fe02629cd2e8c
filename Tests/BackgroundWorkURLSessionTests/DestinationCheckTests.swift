import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// What is refused before a session gets a task for it.
struct DestinationCheckTests {
    private let stage: SessionStage
    private let asked = Recorder<String>()

    init() throws { stage = try SessionStage() }

    /// A resolver that knows these names.
    private func resolver(_ names: [String: [String]]) -> HostResolver {
        let asked = asked
        return HostResolver { name in
            asked.add(name)
            return (names[name] ?? []).compactMap(IPAddress.init(text:))
        }
    }

    private func specification(
        _ url: String, _ change: (inout SecurityPolicy) -> Void = { _ in }
    ) -> TransferSpecification {
        var specification = stage.download("a")
        specification.url = url
        specification.securityPolicy = .publicInternet
        change(&specification.securityPolicy)
        return specification
    }

    private func refusal(of specification: TransferSpecification, _ names: [String: [String]] = [:]) async -> String? {
        let service = stage.service(resolver: resolver(names))
        do {
            _ = try await service.reserve(specification)
            #expect(stage.task(of: specification) != nil)
            return nil
        } catch {
            #expect(error is WorkerInputError)
            #expect(stage.task(of: specification) == nil)
            return "\(error)"
        }
    }

    @Test(
        "a host that is forbidden as written is refused, and no resolver learns of it",
        arguments: HostVector.all.filter { $0.publicInternet == .forbidden })
    func written(vector: HostVector) async throws {
        let message = try #require(await refusal(of: specification(vector.url(port: 8080))))
        // A setting that allows it, or the policy that cannot be applied to it.
        #expect(message.contains("securityPolicy") || message.contains("security policy"))
        #expect(asked.values.isEmpty)
    }

    @Test("a name is refused if any of its addresses is forbidden, and the message names that")
    func anyAddress() async throws {
        let mixed = ["a.example": ["1.1.1.1", "10.0.0.7", "2606:4700::1"]]
        let message = try #require(await refusal(of: specification("https://a.example/f"), mixed))
        #expect(message.contains("10.0.0.7") && message.contains("allowsPrivateNetworks"), "\(message)")
        #expect(
            await refusal(of: specification("https://a.example/f") { $0.allowsPrivateNetworks = true }, mixed) == nil)
        #expect(asked.values == ["a.example", "a.example"])
    }

    @Test("a name that is allowed itself is not resolved, and one that cannot be resolved is left to the session")
    func leftAlone() async {
        let local = ["a.example": ["127.0.0.1"]]
        #expect(
            await refusal(of: specification("https://a.example/f") { $0.allowedHosts = ["a.example"] }, local) == nil)
        #expect(asked.values.isEmpty)
        #expect(await refusal(of: specification("https://unknown.example/f"), local) == nil)
        #expect(asked.values == ["unknown.example"])
    }

    @Test("an internationalized name is resolved as the session gets it")
    func internationalized() async throws {
        let message = await refusal(
            of: specification("https://münchen.example/f"), ["xn--mnchen-3ya.example": ["::1"]])
        #expect(message?.contains("::1") == true)
        #expect(asked.values == ["xn--mnchen-3ya.example"])
    }

    @Test("a transfer that is tried again when its host leads elsewhere fails for good")
    func rebound() async throws {
        let addresses = Recorder<String>()
        addresses.add("1.1.1.1")
        let service = stage.service(
            resolver: HostResolver { _ in addresses.values.suffix(1).compactMap(IPAddress.init(text:)) })
        let recorder = OutcomeRecorder()
        await service.receive(with: recorder, immediately: true)
        var specification = specification("https://a.example/f")
        specification.options.retry = .linear(initialDelay: .seconds(1), maximumAttempts: 3)
        let task = try await stage.begin(specification, with: service)
        addresses.add("127.0.0.1")
        stage.scripted.complete(task, NSError(domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost))
        await recorder.wait(for: 1)
        guard case .failed(let failure) = recorder.outcomes.first?.result else {
            Issue.record("\(recorder.outcomes)")
            return
        }
        #expect(failure.kind == .refused)
        #expect(failure.message.contains("127.0.0.1"), "\(failure.message)")
    }

    @Test("the system's resolver knows this machine, and gives nothing for what is no name")
    func system() async {
        #expect(await HostResolver.system.addresses("localhost").contains { $0.kind == .loopback })
        #expect(await HostResolver.system.addresses("127.0.0.1").map(\.description) == ["127.0.0.1"])
        #expect(await HostResolver.system.addresses("::1").map(\.description) == ["::1"])
        #expect(await HostResolver.system.addresses("a b").isEmpty)
    }
}
