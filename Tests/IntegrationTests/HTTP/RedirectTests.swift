import BackgroundWork
import BackgroundWorkTesting
import Foundation
import Testing

/// Where redirects lead, how far, and what goes with them.
@Suite(.serialized, .fewAtATime)
struct RedirectTests {
    private static let content = HostDeathTests.content

    /// With so many redirects before the file: `/0` leads to `/1`, and so on to `/file`.
    private func place(redirects: Int) throws -> Workplace {
        let place = try Workplace()
        place.server.serve(.bytes(Self.content), at: "/file")
        for step in 0..<redirects {
            place.server.setBehaviour(.redirect(to: step + 1 == redirects ? "/file" : "/\(step + 1)"), for: "/\(step)")
        }
        return place
    }

    @Test("ten redirects are followed")
    func ten() async throws {
        let place = try place(redirects: 10)
        let event = try await place.run(try place.download("/0"))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.hasSaved(Self.content))
        #expect(place.server.requests.count == 11)
    }

    @Test("an eleventh is not, and the failure is final and says why")
    func eleven() async throws {
        let place = try place(redirects: 11)
        let event = try await place.run(try place.download("/0") { $0.options.retry = .atOnce(3) })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("more than 10 times") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 11)
        #expect(!place.server.requests.contains { $0.path == "/file" })
    }

    @Test("a loop of two ends the same way")
    func loop() async throws {
        let place = try Workplace()
        place.server.setBehaviour(.redirect(to: "/b"), for: "/a")
        place.server.setBehaviour(.redirect(to: "/a"), for: "/b")
        let event = try await place.run(try place.download("/a") { $0.options.retry = .atOnce(3) })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("redirected more than") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 11)
    }

    @Test("every kind of redirect is followed", arguments: [301, 302, 303, 307, 308])
    func kinds(status: Int) async throws {
        let place = try place(redirects: 0)
        place.server.setBehaviour(.redirect(to: "/file", status: status), for: "/old")
        let event = try await place.run(try place.download("/old"))
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(event?.outputJSON?.contains("/file") == true, "\(event?.outputJSON ?? "")")
    }

    @Test(
        "a redirect to something other than http and https is rejected",
        arguments: ["ftp://127.0.0.1/file", "file:///etc/passwd"])
    func schemes(target: String) async throws {
        let place = try Workplace()
        place.server.setBehaviour(.redirect(to: target), for: "/file")
        let event = try await place.run(try place.download { $0.options.retry = .atOnce(3) })
        #expect(event?.outcome == .failed)
        #expect(event?.message?.contains("neither https nor allowed http") == true, "\(event?.message ?? "")")
        #expect(place.server.requests.count == 1)
    }

    /// Runs a download that is redirected to `target`, and returns the request that arrived there.
    private func redirected(
        _ place: Workplace, to other: LocalHTTPServer, _ change: (inout DownloadConfiguration) -> Void
    ) async throws -> LoggedRequest {
        other.serve(.bytes(Self.content), at: "/target")
        place.server.setBehaviour(.redirect(to: other.url("/target")), for: "/file")
        let event = try await place.run(try place.download("/file", change))
        #expect(event?.success == true, "\(event?.message ?? "")")
        return try #require(other.requests.first { $0.path == "/target" })
    }

    @Test(
        "credentials are sent to the same origin only",
        arguments: ["Authorization", "Cookie", "X-Api-Key", "basic", "bearer", "user info"])
    func credentials(kind: String) async throws {
        func setUp(_ download: inout DownloadConfiguration) {
            download.options.headers["X-Plain"] = "for all"
            switch kind {
            case "basic": download.options.authentication = .basic(user: "me", password: "secret")
            case "bearer": download.options.authentication = .bearer(token: "secret")
            case "user info": download.url = download.url.replacing("http://", with: "http://me:secret@")
            default: download.options.headers[kind] = "secret"
            }
        }
        let header = kind == "Cookie" || kind == "X-Api-Key" ? kind : "Authorization"
        let home = try Workplace()
        let same = try await redirected(home, to: home.server, setUp)
        #expect(same.header(header) != nil)
        #expect(same.header("X-Plain") == "for all")

        let abroad = try Workplace()
        let other = try LocalHTTPServer()
        try other.start()
        defer { other.stop() }
        let foreign = try await redirected(abroad, to: other, setUp)
        #expect(abroad.server.requests.first?.header(header) != nil)
        #expect(foreign.header("Authorization") == nil)
        #expect(foreign.header("Cookie") == nil)
        #expect(foreign.header("X-Api-Key") == nil)
        #expect(foreign.header("X-Plain") == "for all")
    }

    @Test("a mirror of another origin gets the file's request without what is secret")
    func mirror() async throws {
        let place = try Workplace()
        let other = try LocalHTTPServer()
        other.serve(.bytes(Self.content), at: "/mirror")
        try other.start()
        defer { other.stop() }
        place.server.setBehaviour(.status(404), for: "/file")
        let event = try await place.run(
            try place.download {
                $0.mirrors = [other.url("/mirror")]
                $0.options.headers = ["Cookie": "secret", "X-Auth-Token": "secret", "X-Plain": "for all"]
                $0.options.authentication = .bearer(token: "secret")
            })
        #expect(event?.success == true, "\(event?.message ?? "")")
        #expect(place.server.requests.first?.header("Authorization") == "Bearer secret")
        let request = try #require(other.requests.first)
        #expect(request.header("Authorization") == nil)
        #expect(request.header("Cookie") == nil)
        #expect(request.header("X-Auth-Token") == nil)
        #expect(request.header("X-Plain") == "for all")
    }
}
