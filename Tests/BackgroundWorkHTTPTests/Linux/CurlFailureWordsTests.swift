import BackgroundWorkHTTP
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What libcurl says, with a server that makes it do so.
@Suite("The words for failures of libcurl, with a server")
struct CurlFailureWordsTests {
    private let server: LocalHTTPServer
    private let transport = HTTPTransportTests.transport()

    init() throws {
        server = try LocalHTTPServer()
        try server.start()
        server.serve(.bytes(Array("hello".utf8)), at: "/small")
    }

    private func failure(_ change: (inout HTTPRequest) -> Void = { _ in }) async throws -> HTTPError {
        var request = HTTPRequest(server.url("/small"), headers: ["X-Api-Key": "Zq7KeyValue9"])
        change(&request)
        do {
            let response = try await transport.send(request)
            Issue.record("answered \(response.status)")
        } catch let error as HTTPError {
            return error
        }
        throw CancellationError()
    }

    @Test("a length that is none is final, in the same words", arguments: ["abc", "-1", "5, 6"])
    func length(value: String) async throws {
        server.setBehaviour(.headers([HeaderField("Content-Length", value)]), for: "/small")
        let error = try await failure()
        #expect(error.kind == .network && !error.isRetryable)
        #expect(error.message.contains("gives its length twice and differently, or not as a number"), "\(error)")
    }

    @Test("a head that is too large is final, by one line or by many")
    func largeHead() async throws {
        let many = (0..<20).map { HeaderField("X-\($0)", String(repeating: "x", count: 50_000)) }
        for behaviour in [Behaviour.largeHeader(bytes: 1_000_000), .headers(many)] {
            server.setBehaviour(behaviour, for: "/small")
            let error = try await failure()
            #expect(!error.isRetryable && error.message.contains("is too large"), "\(error)")
        }
    }

    @Test("a coding that is not supported is named, without a secret that it repeats")
    func coding() async throws {
        server.setBehaviour(.headers([HeaderField("Content-Encoding", "br")]), for: "/small")
        let error = try await failure()
        #expect(error.message.contains("that it was not asked for (br)") && !error.isRetryable, "\(error)")
        server.setBehaviour(.headers([HeaderField("Content-Encoding", "Zq7KeyValue9")]), for: "/small")
        let repeated = try await failure()
        #expect(repeated.message.contains("asked for (…)"), "\(repeated)")
    }

    @Test("the host of a redirect is shown without a secret that it repeats")
    func redirectedSecret() async throws {
        server.setBehaviour(.redirect(to: "http://Zq7KeyValue9.local/"), for: "/small")
        let address = try #require(server.url("/small").split(separator: "/").dropFirst().first)
        let strict = HTTPTransportTests.transport { configuration in
            configuration.securityPolicy = .publicInternet
            configuration.securityPolicy.allowedHosts = [String(address)]
        }
        do {
            _ = try await strict.send(HTTPRequest(server.url("/small"), headers: ["X-Api-Key": "Zq7KeyValue9"]))
            Issue.record("answered")
        } catch let error as HTTPError {
            #expect(error.kind == .refused && error.message.contains("….local"), "\(error)")
            #expect(!error.message.lowercased().contains("zq7"))
        }
    }

    @Test("an address that is none is the server's when the server has named it")
    func redirect() async throws {
        server.setBehaviour(.redirect(to: "http://１２７.0.0.1:99999999/"), for: "/small")
        let error = try await failure()
        #expect(error.message.contains("redirected") && !error.isRetryable, "\(error)")
        #expect(!error.message.contains("Correct the request"))
    }

    @Test("a file of authorities that has none is named")
    func authorities() async throws {
        let folder = try TemporaryFolder()
        try Data("no certificate".utf8).write(to: URL(filePath: folder.path + "/text.pem"))
        for path in [folder.path + "/missing.pem", folder.path + "/text.pem", folder.path] {
            let error = try await failure { request in
                request.url = server.url("/small").replacing("http:", with: "https:")
                request.tls.additionalAuthoritiesPath = path
            }
            #expect(!error.isRetryable && error.message.contains("additionalAuthoritiesPath"), "\(error)")
            #expect(!error.message.contains("not trusted"))
        }
    }

    @Test("a body has one reader: a second one gets an error while the first waits, which goes on")
    func readers() async throws {
        server.serve(.generated(bytes: 1_000_000), at: "/held")
        server.setBehaviour(.holdAfter(bytes: 10), for: "/held")
        let body = try await transport.stream(HTTPRequest(server.url("/held"))).body
        #expect(try await body.makeAsyncIterator().next()?.count == 10)
        // Which one is first is not certain, but one of them has an error while nothing arrives.
        let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var count = 0
                    do {
                        for try await piece in body { count += piece.count }
                        return count
                    } catch let error as HTTPError where error.kind == .invalid && error.message.contains("one task") {
                        return nil
                    }
                }
            }
            var counts: [Int?] = [try await group.next() ?? 0]
            server.release("/held")
            for try await count in group { counts.append(count) }
            return counts
        }
        #expect(counts == [nil, 999_990])
    }

    @Test("what is dumped of a response that still arrives has no secret of its request")
    func dumped() async throws {
        let url = server.url("/small").replacing("http://", with: "http://me:Zq7@") + "?sig=Zq7"
        let response = try await transport.stream(HTTPRequest(url, headers: ["Authorization": "Zq7"]))
        for value in [response, response.body, response.body.makeAsyncIterator()] as [Any] {
            var text = ""
            dump(value, to: &text)
            #expect(!(text + "\(value)" + String(reflecting: value)).contains("Zq7"), "\(text)")
        }
    }
}
