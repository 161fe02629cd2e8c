import BackgroundWork
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import Testing

/// Proving to a server who the client is.
@Suite(.serialized, .fewAtATime)
struct CredentialTests {
    private static let content = HostDeathTests.content

    private func place(_ authentication: Authentication) throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        place.server.require(authentication, for: "/file")
        return place
    }

    @Test(
        "what the server asks for is given",
        arguments: [
            (.basic(user: "me", password: "s:ö\""), .basic(user: "me", password: "s:ö\"")),
            (.digest(user: "me", password: "s", algorithm: .md5), .digest(user: "me", password: "s")),
            (.digest(user: "me", password: "s", algorithm: .sha256), .digest(user: "me", password: "s")),
            (.bearer(tokens: ["abc"]), .bearer(token: "abc")),
        ] as [(Authentication, HTTPAuthentication)])
    func accepted(asked: Authentication, given: HTTPAuthentication) async throws {
        let place = try place(asked)
        let event = try await place.run(try place.download { $0.options.authentication = given })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
    }

    @Test(
        "what is wrong is rejected at once, without a word of the password",
        arguments: [
            (.basic(user: "me", password: "right"), .basic(user: "me", password: "wrong-secret")),
            (.digest(user: "me", password: "right"), .digest(user: "me", password: "wrong-secret")),
            (.bearer(tokens: ["right"]), .bearer(token: "wrong-secret")),
        ] as [(Authentication, HTTPAuthentication)])
    func refused(asked: Authentication, given: HTTPAuthentication) async throws {
        let place = try place(asked)
        let event = try await place.run(
            try place.download {
                $0.options.authentication = given
                $0.options.retry = .atOnce(3)
            })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("401") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("secret") == false)
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("secret") })
        #expect(place.server.requests.count <= 2)
    }

    @Test(
        "an upload is accepted by Digest as well, and the whole file arrives once",
        arguments: [HTTPDigestAlgorithm.md5, .sha256])
    func digestUpload(algorithm: HTTPDigestAlgorithm) async throws {
        let place = try Workplace()
        place.server.acceptUploads(at: "/upload")
        place.server.require(.digest(user: "me", password: "s", algorithm: algorithm), for: "/upload")
        let content = try place.makeSource(bytes: 2 << 20)
        let event = try await place.run(
            try place.upload { $0.options.authentication = .digest(user: "me", password: "s") })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.uploads(at: "/upload").filter(\.isComplete).map { $0.bytes == content } == [true])
    }

    // MARK: Tokens

    private func refreshing(
        _ place: Workplace, _ change: (inout TokenRefresh) -> Void = { _ in }
    ) throws -> TaskRequest {
        var refresh = TokenRefresh(
            url: place.server.url("/token"), headers: ["X-Refresh": "yes"], body: "grant=refresh",
            tokenPath: "data.access_token")
        change(&refresh)
        return try place.download {
            $0.options.authentication = .bearer(token: "old")
            $0.options.headers["Cookie"] = "secret"
            $0.options.tokenRefresh = refresh
        }
    }

    private func tokenPlace(_ issuer: TokenIssuer) throws -> Workplace {
        let place = try place(.bearer(tokens: []))
        place.server.issueTokens(issuer, at: "/token")
        return place
    }

    @Test("an expired token is refreshed, and the transfer succeeds with one more request")
    func refreshed() async throws {
        let place = try tokenPlace(TokenIssuer(tokens: ["new"]))
        let event = try await place.run(try refreshing(place))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.map(\.path) == ["/file", "/token", "/file"])
        #expect(place.server.requests.map { $0.header("Authorization") } == ["Bearer old", nil, "Bearer new"])
        let call = place.server.requests[1]
        #expect(call.method == "POST")
        #expect(call.header("X-Refresh") == "yes")
        #expect(call.header("Cookie") == nil)
        #expect(call.receivedBytes == 13)
        #expect(!place.lines(of: place.agentLog).contains { $0.contains("new") && $0.contains("Bearer") })
    }

    @Test("a token can come by GET, too")
    func byGet() async throws {
        let place = try tokenPlace(TokenIssuer(tokens: ["new"]))
        let event = try await place.run(
            try refreshing(place) {
                $0.method = "GET"
                $0.body = nil
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.requests.map(\.method) == ["GET", "GET", "GET"])
    }

    @Test("a server that refuses every token fails the transfer, and is asked for one once")
    func refusedForEver() async throws {
        let place = try tokenPlace(TokenIssuer(tokens: ["new"], makesAccepted: false))
        let event = try await place.run(try refreshing(place))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("401") == true, "\(event?.message ?? "")")
        #expect(place.server.tokenCalls(at: "/token") == 1)
        #expect(place.server.requests.filter { $0.path == "/file" }.count == 2)
    }

    @Test(
        "an answer without a token fails the transfer with where the token should have been",
        arguments: [
            "", "no JSON", "{}", #"{"data":{}}"#, #"{"data":"x"}"#, #"{"data":{"access_token":""}}"#,
            #"{"data":{"access_token":7}}"#, #"["data"]"#, #"{"data":{"access_token":null}}"#,
        ])
    func noToken(answer: String) async throws {
        let place = try tokenPlace(TokenIssuer(tokens: ["new"], body: answer))
        let event = try await place.run(try refreshing(place))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("401") == true, "\(event?.message ?? "")")
        #expect(event?.message?.contains("data.access_token") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.map(\.path) == ["/file", "/token"])
    }

    @Test("a token that would break the request apart is not sent")
    func brokenToken() async throws {
        let place = try tokenPlace(TokenIssuer(tokens: [#"new\r\nX-Evil: 1"#]))
        let event = try await place.run(try refreshing(place))
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("token contains characters") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.map(\.path) == ["/file", "/token"])
    }

    @Test("an endpoint that refuses is named with its status, and an endless answer is broken off")
    func endpointFails() async throws {
        let place = try tokenPlace(TokenIssuer(tokens: ["new"]))
        place.server.setBehaviour(.status(403), for: "/token")
        let refused = try await place.run(try refreshing(place))
        #expect(refused?.outcome == .failed)
        #expect(refused?.message?.contains("No new token could be fetched") == true, "\(refused?.message ?? "")")
        #expect(refused?.message?.contains("403") == true, "\(refused?.message ?? "")")

        let endless = try self.place(.bearer(tokens: []))
        endless.server.serve(.generated(bytes: 64 << 20), at: "/token")
        let event = try await endless.run(
            try refreshing(endless) {
                $0.method = "GET"
                $0.body = nil
            })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("No new token could be fetched") == true, "\(event?.message ?? "")")
    }

    @Test("an endpoint that is down for a while is asked again with the next attempt, once for each")
    func endpointDown() async throws {
        let place = try tokenPlace(TokenIssuer(tokens: ["new"]))
        place.server.setBehaviours([.status(503), .status(503), .correct], for: "/token")
        var request = try refreshing(place)
        request = try place.download {
            $0.options.authentication = .bearer(token: "old")
            $0.options.retry = .atOnce(5)
            $0.options.tokenRefresh = TokenRefresh(url: place.server.url("/token"), tokenPath: "data.access_token")
        }
        let event = try await place.run(request)
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(
            place.server.requests.map(\.path) == ["/file", "/token", "/file", "/token", "/file", "/token", "/file"])
    }

    @Test("an upload whose token has run out is sent again with the new one")
    func upload() async throws {
        let place = try Workplace()
        place.server.acceptUploads(at: "/upload")
        place.server.require(.bearer(tokens: []), for: "/upload")
        place.server.issueTokens(TokenIssuer(tokens: ["new"]), at: "/token")
        let content = try place.makeSource(bytes: 300_000)
        let event = try await place.run(
            try place.upload {
                $0.options.authentication = .bearer(token: "old")
                $0.options.tokenRefresh = TokenRefresh(url: place.server.url("/token"), tokenPath: "data.access_token")
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.uploads(at: "/upload").last?.bytes == content)
    }
}
