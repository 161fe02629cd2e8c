import BackgroundWorkTesting
import Foundation
import Testing

/// Credentials, and tokens that end and are refreshed.
struct AuthenticationTests {
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.serve(.bytes("content".utf8), at: "/file")
        server.acceptUploads(at: "/upload")
        try server.start()
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("Basic: the right password, a wrong one, none")
    func basic() async throws {
        server.require(.basic(user: "ann", password: "a:b"), for: "/file")
        let none = try await Curl.answer(server.url("/file"))
        #expect(none.status == 401)
        #expect(none.header("WWW-Authenticate") == "Basic realm=\"test\"")
        #expect(try await Curl.answer("-u", "ann:wrong", server.url("/file")).status == 401)
        #expect(try await Curl.answer("-u", "ann:a:b", server.url("/file")).text == "content")
        server.require(nil, for: "/file")
        #expect(try await Curl.answer(server.url("/file")).status == 200)
    }

    @Test("Digest: curl knows both algorithms", arguments: [HTTPDigestAlgorithm.md5, .sha256])
    func digest(algorithm: HTTPDigestAlgorithm) async throws {
        server.require(.digest(user: "ann", password: "secret", algorithm: algorithm), for: "/file")
        let answer = try await Curl.answer("--digest", "-u", "ann:secret", server.url("/file?a=1"))
        #expect(answer.status == 200)
        #expect(answer.text == "content")
        #expect(try await Curl.answer("--digest", "-u", "ann:wrong", server.url("/file")).status == 401)
        #expect(server.requests[1].header("Authorization")?.contains("algorithm=\(algorithm.rawValue)") == true)
        #expect(server.requests.prefix(2).map(\.status) == [401, 200])
    }

    @Test("Digest: the same answer is not accepted twice")
    func digestReplay() async throws {
        server.require(.digest(user: "ann", password: "secret"), for: "/file")
        _ = try await Curl.answer("--digest", "-u", "ann:secret", server.url("/file"))
        let used = try #require(server.requests.last?.header("Authorization"))
        let replayed = try await Curl.answer("-H", "Authorization: \(used)", server.url("/file"))
        #expect(replayed.status == 401)
        #expect(replayed.header("WWW-Authenticate")?.contains("stale=true") == true)
    }
    #endif

    @Test("a bearer token ends, and the 401s end with its refresh")
    func refresh() async throws {
        server.require(.bearer(tokens: ["t1"]), for: "/file")
        server.issueTokens(TokenIssuer(tokens: ["t2", "t3"]), at: "/token")
        #expect(try await HTTPClient.answer(server.url("/file"), headers: ["Authorization": "Bearer t1"]).status == 200)
        server.require(.bearer(tokens: []), for: "/file")
        let ended = try await HTTPClient.answer(server.url("/file"), headers: ["Authorization": "Bearer t1"])
        #expect(ended.status == 401)
        #expect(ended.header("WWW-Authenticate") == "Bearer realm=\"test\", error=\"invalid_token\"")
        let issued = try await HTTPClient.answer(server.url("/token"), method: "POST", body: "refresh=r".utf8)
        #expect(issued.text == #"{"data":{"access_token":"t2"}}"#)
        #expect(issued.header("Content-Type") == "application/json")
        #expect(server.tokenCalls(at: "/token") == 1)
        #expect(try await HTTPClient.answer(server.url("/file"), headers: ["Authorization": "Bearer t2"]).status == 200)
        #expect(try await HTTPClient.answer(server.url("/token")).text.contains("t3"))
        #expect(try await HTTPClient.answer(server.url("/file"), headers: ["Authorization": "Bearer t2"]).status == 401)
    }

    @Test("401s that no refresh ends")
    func refreshInVain() async throws {
        server.require(.bearer(tokens: []), for: "/file")
        server.issueTokens(TokenIssuer(tokens: ["t"], body: #"{"t":"{token}"}"#, makesAccepted: false), at: "/token")
        for calls in 1...3 {
            #expect(try await HTTPClient.answer(server.url("/token")).text == #"{"t":"t"}"#)
            #expect(server.tokenCalls(at: "/token") == calls)
            #expect(
                try await HTTPClient.answer(server.url("/file"), headers: ["Authorization": "Bearer t"]).status == 401)
        }
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("a rejected request uses up no behavior, and its upload is not kept")
    func refusedRequests() async throws {
        server.require(.bearer(tokens: ["t"]), for: "/upload")
        server.setBehaviours([.status(201), .correct], for: "/upload")
        #expect(try await Curl.answer("-d", "body", server.url("/upload")).status == 401)
        #expect(
            try await Curl.answer("-d", "body", "-H", "Expect: 100-continue", server.url("/upload")).status == 401)
        #expect(server.uploads(at: "/upload").isEmpty)
        #expect(
            try await Curl.answer("-d", "body", "-H", "Authorization: Bearer t", server.url("/upload")).status == 201)
    }
    #endif
}
