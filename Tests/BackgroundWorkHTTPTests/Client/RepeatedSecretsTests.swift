import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWorkHTTP

@Suite("What a server repeats of a request's secrets")
struct RepeatedSecretsTests {
    private static func request() -> HTTPRequest {
        var request = HTTPRequest(
            "https://user:Zq7-word@h/a?token=Zq7-query-0123456789", method: "PUT",
            headers: ["X-Request-Id": "mine", "X-Api-Key": "Zq7KeyValue"])
        request.authentication = .basic(user: "me", password: "Zq7-password")
        return request
    }

    private let copies = [
        "Zq7KeyValue", "zq7keyvalue", "Basic bWU6WnE3LXBhc3N3b3Jk", "Zq7-password", "zq7%2Dpassword", "Zq7-word",
        "Zq7-query-0123456789", "Zq7\u{1b}KeyValue",
    ]

    @Test("the description of an APIError has none of them")
    func status() {
        for copy in copies {
            let response = HTTPResponse.of(400, ["X-Request-Id": copy])
            let error = APIError(response, of: Self.request(), bodyLimit: 10, now: WallTime(Date()))
            #expect(error.requestID?.contains("…") == true, "\(error)")
            for text in ["\(error)", error.localizedDescription, error.requestID ?? ""] {
                #expect(!text.lowercased().contains("zq7") && !text.contains("bWU6"), "\(text)")
            }
        }
    }

    @Test("nor does that of an APIDecodingError, by type, name or id")
    func decoding() {
        for copy in copies {
            let wrong = DecodingError.typeMismatch(
                Int.self, .init(codingPath: [Name(stringValue: copy)], debugDescription: ""))
            let response = HTTPResponse.of(200, ["X-Request-Id": copy, "Content-Type": copy], body: "{}")
            let error = APIDecodingError(wrong, response, of: Self.request(), bodyLimit: 10)
            #expect(error.problem.contains("is not of the type Int"))
            #expect(!"\(error)".lowercased().contains("zq7") && !"\(error)".contains("bWU6"), "\(error)")
        }
    }

    @Test("a secret is found before the text is cut")
    func cut() {
        let id = String(repeating: "x", count: 120) + " Zq7KeyValue"
        let error = APIError(
            .of(400, ["X-Request-Id": id]), of: Self.request(), bodyLimit: 10, now: WallTime(Date()))
        #expect(!"\(error)".contains("Zq7"))
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test("nothing that is printed or dumped has one")
    func dumps() throws {
        var client = APIClient("https://me:Zq7@h/v2")
        client.headers["X-Api-Key"] = "Zq7"
        client.authentication = .bearer(token: "Zq7")
        let head = HTTPResponseHead(
            status: 200,
            headers: ["Set-Cookie": "Zq7", "Location": "/next?sig=Zq7", "Link": "https://u:Zq7@h/x?Zq7"],
            url: "https://me:Zq7@h/f?sig=Zq7")
        let response = HTTPResponse(head: head, body: Data("Zq7".utf8))
        let error = APIError(response, of: Self.request(), bodyLimit: 10, now: WallTime(Date()))
        let wrong = DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: "Zq7"))
        let values: [Any] = [
            client, head, response, HTTPHeaders.Field(name: "X-Api-Key", value: "Zq7"), head.headers,
            APIQuery(dictionaryLiteral: ("token", "Zq7")), error,
            APIDecodingError(wrong, response, of: Self.request(), bodyLimit: 10), Self.request(),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), String(describing: [value]), dumped] {
                #expect(!text.contains("Zq7") && !text.contains("90, 113, 55"), "\(text)")
            }
        }
        #expect("\(client)".contains("https://h/v2") && "\(head)".contains("https://h/f"))
        #expect("\(HTTPHeaders.Field(name: "Accept", value: "text/plain"))" == "Accept: text/plain")
        #expect("\(APIQuery(dictionaryLiteral: ("a", "b"), ("c", "d")))" == "a=…&c=…")
    }
}
