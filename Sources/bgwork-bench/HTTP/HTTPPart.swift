import BackgroundWork
import Foundation

/// What ``HTTPBenchmark`` runs in a process of its own.
enum HTTPPart {
    static func run(_ arguments: [String]) async throws {
        var configuration = HTTPTransport.Configuration()
        configuration.securityPolicy = .unrestricted
        let transport = HTTPTransport(configuration: configuration)
        switch arguments.first {
        case "small" where arguments.count == 4:
            guard let count = Int(arguments[2]), let parallel = Int(arguments[3]) else { exit(64) }
            try await small(arguments[1], count, parallel, transport)
        case "large" where arguments.count == 4:
            var request = HTTPRequest(arguments[1])
            request.tls.additionalAuthoritiesPath = arguments[2]
            let response = try await transport.download(request, to: arguments[3])
            guard response.head.isSuccess else { exit(1) }
        default: exit(64)
        }
    }

    private static func small(_ url: String, _ count: Int, _ parallel: Int, _ transport: HTTPTransport) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= parallel { try await group.next() }
                group.addTask {
                    let response = try await transport.send(HTTPRequest(url))
                    guard response.status == 200, response.body.count == 1000 else { exit(1) }
                }
            }
            try await group.waitForAll()
        }
    }
}
