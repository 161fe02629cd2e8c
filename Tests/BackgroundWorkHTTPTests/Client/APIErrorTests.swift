import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkHTTP

@Suite("The errors of a client")
struct APIErrorTests {
    private let request = HTTPRequest(
        "https://user:hush@h/a?token=hush", method: "PUT", headers: ["X-Request-Id": "mine", "Authorization": "hush"])
    private let now = WallTime(Date(timeIntervalSince1970: 784_111_777))

    private func error(_ response: HTTPResponse, limit: Int = 100) -> APIError {
        APIError(response, of: request, bodyLimit: limit, now: now)
    }

    @Test("the description says what happened and what to do, without a secret and without the body")
    func description() {
        let error = error(.of(409, ["X-Request-Id": "theirs", "Set-Cookie": "hush"], body: "hush"))
        #expect(
            error.description
                == "PUT https://h/a?…: the server answered 409 (request theirs). The resource was changed by another "
                + "request; load it again before the next try.")
        #expect(error.localizedDescription == error.description)
        #expect(error.body == "hush" && error.requestID == "theirs")
        #expect(error.url == "https://h/a?…" && error.method == "PUT")
        for status in 300...599 { #expect(!self.error(.of(status, body: "hush")).description.contains("hush")) }
    }

    @Test("the request's own id is used when the server names none, and hostile ids are bounded")
    func requestID() {
        #expect(error(.of(500)).requestID == "mine")
        #expect(error(.of(500, ["x-request-id": ""])).requestID == "mine")
        let hostile = error(.of(500, ["X-Request-Id": "a\u{1b}[31m\nb" + String(repeating: "x", count: 9999)]))
        #expect(hostile.requestID?.utf8.count ?? .max < 140)
        #expect(hostile.requestID?.hasPrefix("a[31m bxx") == true)
    }

    @Test("the body is bounded, cut between characters, and has no control characters")
    func body() {
        #expect(error(.of(400, body: "äöü"), limit: 3).body == "ä")
        #expect(error(.of(400, body: "äöü"), limit: 4).body == "äö")
        #expect(error(.of(400, body: "abc"), limit: 0).body == "")
        #expect(error(.of(400, body: "abc"), limit: -1).body == "")
        #expect(error(.of(400, body: "a\r\n\tb\0\u{7}\u{85}\u{202e}\u{2028}c")).body == "a   b c")
        let bytes = HTTPResponse(head: HTTPResponseHead(status: 400, url: ""), body: Data([0x61, 0xff, 0xfe]))
        #expect(error(bytes).body == "a\u{fffd}\u{fffd}")
    }

    @Test("Retry-After is seconds or a date, and nonsense is none")
    func retryAfter() {
        #expect(error(.of(503, ["Retry-After": "120"])).retryAfter == .seconds(120))
        #expect(error(.of(503, ["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"])).retryAfter == .seconds(30))
        #expect(error(.of(503, ["Retry-After": "Sun, 06 Nov 1994 08:00:00 GMT"])).retryAfter == .zero)
        for nonsense in ["", "-1", "1.5", "soon", "Sun, 99 Nov 1994 08:50:07 GMT"] {
            #expect(error(.of(503, ["Retry-After": nonsense])).retryAfter == nil)
        }
        let huge = error(.of(503, ["Retry-After": "99999999999999999999999"])).retryAfter
        #expect(huge ?? .zero > .seconds(Int64(1) << 50))
    }

    @Test("only statuses that may pass are worth another try")
    func retryable() {
        let retryable = (300...599).filter { error(.of($0)).isRetryable }
        #expect(retryable == [408, 429, 500, 502, 503, 504])
    }

    @Test("whether to try again, and the words for it, agree")
    func advice() {
        for status in 300...599 {
            let error = error(.of(status, ["Retry-After": "7"]))
            #expect(error.description.lowercased().contains("try again") == error.isRetryable, "\(error)")
        }
    }

    @Test("a redirect that names a place, one that names none, and what has not changed are three things")
    func redirects() {
        #expect(error(.of(302, ["Location": "/x"])).description.contains("use the URL that it names"))
        #expect(error(.of(302)).description.contains("It names no place"))
        #expect(error(.of(304)).description.contains("has not changed"))
        #expect(error(.of(304)).description.contains("If-None-Match"))
    }

    struct Page: Decodable {
        struct Item: Decodable { var id: Int }
        var list: [Item]
        var lists: [[Item]]?
    }

    @Test("paths are written as usual, and types in plain words")
    func paths() {
        func words(_ body: String) -> String {
            do {
                _ = try APICoding.decoder().decode(Page.self, from: Data(body.utf8))
                return ""
            } catch {
                return APIDecodingError(error, .of(200, body: body), of: request, bodyLimit: 8).problem
            }
        }
        #expect(words(#"{"list": [{"id": 1}, {"id": "x"}]}"#) == #""list[1].id" is not of the type Int"#)
        #expect(words(#"{"list": [{"id": 1}, {}]}"#) == #"the field "list[1].id" is missing"#)
        #expect(words(#"{"list": [7]}"#) == #""list[0]" is not an object"#)
        #expect(words(#"{"list": {}}"#) == #""list" is not an array"#)
        #expect(words(#"{"list": [], "lists": [[], [{"id": null}]]}"#).contains("lists[1][0].id"))
        #expect(words(#"{"list": [{"id": 1.5}]}"#).contains("list[0].id"))
    }

    struct User: Decodable {
        var name: String
        var since: Date
    }

    private func decodingError(_ body: String) -> APIDecodingError? {
        do {
            _ = try APICoding.decoder().decode(User.self, from: Data(body.utf8))
            return nil
        } catch {
            let response = HTTPResponse.of(200, ["Content-Type": "text/html"], body: body)
            return APIDecodingError(error, response, of: request, bodyLimit: 8)
        }
    }

    @Test("an answer that cannot be decoded names the field, and not its content")
    func decoding() {
        let missing = decodingError(#"{"name": "hush"}"#)
        #expect(
            missing?.description
                == #"PUT https://h/a?…: the answer (200, text/html, request mine) cannot be decoded: the field "since" is missing"#
        )
        #expect(missing?.body == #"{"name":"#)
        #expect(decodingError(#"{"name": 7, "since": 8}"#)?.problem == #""name" is not of the type String"#)
        #expect(decodingError(#"{"name": "", "since": "hush"}"#)?.problem == #""since": not a date of ISO 8601"#)
        #expect(decodingError("")?.problem == "it has no body")
        #expect(decodingError("<p>hush</p>")?.description.contains("hush") == false)
    }

    @Test(
        "dates have fractions of a second or none",
        arguments: ["2026-01-31T23:59:59Z", "2026-01-31T23:59:59.000Z", "2026-02-01T01:59:59+02:00"])
    func dates(text: String) throws {
        let user = try APICoding.decoder().decode(User.self, from: Data(#"{"name": "", "since": "\#(text)"}"#.utf8))
        #expect(user.since == Date(timeIntervalSince1970: 1_769_903_999))
    }

    @Test(
        "dates are sent to the millisecond",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1.5, "1970-01-01T00:00:01.500Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
            (0.123, "1970-01-01T00:00:00.123Z"), (0.0004, "1970-01-01T00:00:00Z"), (0.9996, "1970-01-01T00:00:01Z"),
            (1_769_903_999.07, "2026-01-31T23:59:59.070Z"),
        ])
    func sentDates(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let data = try APICoding.encoder().encode([date])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(text)\"]")
        let read = try APICoding.decoder().decode([Date].self, from: data)
        #expect(abs(read[0].timeIntervalSince(date)) <= 0.000_51)
    }

    @Test("a date without a year of four digits is refused", arguments: [Double.nan, .infinity, 1e15, -1e12])
    func impossibleDates(seconds: Double) {
        let error = #expect(throws: EncodingError.self) {
            try APICoding.encoder().encode([Date(timeIntervalSince1970: seconds)])
        }
        #expect("\(error as Any)".contains("not a date of the years 0 to 9999"))
    }
}
