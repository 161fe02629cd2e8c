import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkSystem
import Foundation

/// A program that exits while it requests and hashes: `requesting URL AUTHORITY RESPONSES`. It exits with that many
/// responses, in the middle of others.
enum RequestingHost {
    private static let atATime = 8

    static func run(_ arguments: [String]) async throws -> Never {
        guard arguments.count == 3, let responses = Int(arguments[2]) else { exit(64) }
        var request = HTTPRequest(arguments[0])
        request.tls.additionalAuthoritiesPath = arguments[1]
        let (answers, answered) = AsyncStream.makeStream(of: Int.self)
        for _ in 0..<atATime {
            Task { [request] in
                // Each has a transport of its own, whose thread ends with it.
                while true {
                    var configuration = HTTPTransport.Configuration()
                    configuration.securityPolicy = .unrestricted
                    answered.yield(try await HTTPTransport(configuration: configuration).send(request).status)
                }
            }
        }
        SystemThread.start { while (try? StreamingDigest(.sha256).finish()) != nil {} }
        var count = 0
        for await status in answers {
            guard status == 200 else { exit(70) }
            count += 1
            if count == responses { exit(0) }
        }
        exit(70)
    }
}
