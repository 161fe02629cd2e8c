import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkURLSession

/// Each option of a transfer takes effect in a URL session, or is refused. An option that is new has to be added here.
struct TransferOptionTests {
    private typealias Change = @Sendable (inout DownloadJob, inout TransferOptions) -> Void

    /// How an option is held.
    private enum Holding {
        case refused(Change)
        /// - Parameter holds: what the option makes of the transfer's task.
        case inTask(Change, _ holds: @Sendable (ScriptedTask, URLRequest) -> Bool)
        /// By tests of the service's outcomes, or of what is done with them.
        case inOutcome
    }

    private static let date = Date(timeIntervalSince1970: 2_000_000_000)

    private static let options: [String: Holding] = [
        "headers": .inTask({ $1.headers = ["X-Test": "yes"] }) { $1.value(forHTTPHeaderField: "X-Test") == "yes" },
        "isDiscretionary": .refused { $1.isDiscretionary = true },
        "allowsCellularAccess": .inTask({ $1.allowsCellularAccess = false }) { !$1.allowsCellularAccess },
        "stallTimeout": .inTask({ $1.stallTimeout = .seconds(7) }) { $1.timeoutInterval == 7 },
        "resourceTimeout": .inOutcome,
        "earliestBegin": .inTask({ $1.earliestBegin = date }) { task, _ in task.earliestBeginDate == date },
        "priority": .inTask({ $1.priority = .critical }) { task, _ in task.priority == 1 },
        "bytesPerSecond": .refused { $1.bytesPerSecond = 1 },
        "group": .inOutcome,
        "retry": .inOutcome,
        "proxy": .refused { $1.proxy = .url("http://proxy.example.com:8080") },
        "authentication": .inTask({ $1.authentication = .bearer(token: "token") }) {
            $1.value(forHTTPHeaderField: "Authorization") == "Bearer token"
        },
        "tokenRefresh": .refused { $1.tokenRefresh = TokenRefresh(url: "https://example.com/token") },
        "tls": SessionTLS.features.isEmpty
            ? .refused { $1.tls.pinnedPublicKeys = [TestCertificates.serverPin] } : .inOutcome,
    ]

    private static let job: [String: Holding] = [
        "checksum": .inOutcome,
        "onDuplicate": .inOutcome,
        "maxBytes": .inTask({ job, _ in job.maxBytes = 5 }) { task, _ in task.countOfBytesClientExpectsToReceive == 5 },
        "isResumable": .inOutcome,
        "mirrors": .refused { job, _ in job.mirrors = ["https://example.org/a"] },
        "connections": .refused { job, _ in job.connections = .fixed(4) },
        "savesIntoFolder": .inOutcome,
        "mountPoint": .inOutcome,
        "resumeToken": .inOutcome,
        "fileMode": .inOutcome,
    ]

    @Test("every option is held", arguments: [false, true])
    func complete(isJob: Bool) {
        let fields = Mirror(reflecting: isJob ? DownloadJob() : TransferOptions() as Any).children.compactMap(\.label)
        #expect(Set(fields) == Set((isJob ? Self.job : Self.options).keys))
    }

    @Test("an option takes effect or is refused", arguments: (Array(options.keys) + Array(job.keys)).sorted())
    func holding(_ name: String) async throws {
        let stage = try SessionStage()
        let service = stage.service()
        switch try #require(Self.options[name] ?? Self.job[name]) {
        case .refused(let change):
            let failure = await #expect(throws: AgentFailure.self) {
                _ = try await service.reserve(stage.download("a", change))
            }
            #expect(failure?.code == .badRequest)
            #expect(stage.scripted.tasks.isEmpty)
        case .inTask(let change, let holds):
            for changes in [false, true] {
                let specification = changes ? stage.download("with", change) : stage.download("without")
                let task = try await stage.begin(specification, with: service)
                guard case .request(let request) = task.origin else {
                    Issue.record("\(task.origin)")
                    return
                }
                #expect(holds(task, request) == changes)
            }
        case .inOutcome: break
        }
    }

    @Test("a transfer that takes longer than it or its session allows fails", arguments: [false, true])
    func resourceTimeout(isSession: Bool) async throws {
        let stage = try SessionStage()
        var session = BackgroundSessionOptions()
        if isSession { session.resourceTimeout = .seconds(5) }
        let service = stage.service(session: session)
        let recorder = OutcomeRecorder()
        await service.receive(with: recorder, immediately: true)
        let asleep = stage.clock.sleepers
        _ = try await stage.begin(
            stage.download("b") { if !isSession { $1.resourceTimeout = .seconds(5) } }, with: service)
        await stage.clock.untilSleeping(atLeast: asleep + 1)
        while recorder.outcomes.isEmpty {
            stage.clock.advance(by: .seconds(6))
            _ = try await service.transfers()
        }
        guard case .failed(let late) = recorder.outcomes.first?.result else {
            Issue.record("\(recorder.outcomes)")
            return
        }
        #expect(late.kind == .limit)
    }

    @Test("a group and a session's discretion reach the transfer")
    func labels() async throws {
        let stage = try SessionStage()
        var session = BackgroundSessionOptions()
        session.isDiscretionary = true
        let service = stage.service(session: session)
        _ = try await service.reserve(
            stage.download("a") {
                $1.group = "films"
                $1.isDiscretionary = true
            })
        #expect(try await service.transfers().map(\.group) == ["films"])
    }
}
