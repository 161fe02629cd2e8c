import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

struct HttpSyncWorkerTests {
    let place: WorkerPlace
    private var server: LocalHTTPServer { place.server }

    init() throws { place = try WorkerPlace() }

    private func sent(_ json: String) async throws -> ReceivedUpload? {
        let input = try JSONCoding.value(HttpSyncWorker.Input.self, from: json)
        #expect(try JSONCoding.value(HttpSyncWorker.Input.self, from: input.inputJSON) == input)
        let output = try await place.output(HttpSyncWorker.self, input)
        #expect(output == .init(url: server.url("/in"), status: 200))
        return server.uploads(at: "/in").last
    }

    @Test(
        "any JSON is sent as it was given, as application/json",
        arguments: [
            #"{"a":[1,2.5,-3e2,true,null,"ä\n/"],"b":{"c":{}}}"#, "[]", #""text""#, "0", "false",
            "18446744073709551615",
        ])
    func anyJSON(body: String) async throws {
        let upload = try #require(try await sent(#"{"url":"\#(server.url("/in"))","requestBody":\#(body)}"#))
        #expect(upload.method == "POST")
        #expect(upload.headers["content-type"] == "application/json")
        let (sent, given) = (Data(upload.bytes), Data(body.utf8))
        let options = JSONSerialization.ReadingOptions.fragmentsAllowed
        let value = try JSONSerialization.jsonObject(with: sent, options: options) as? NSObject
        #expect(value == (try JSONSerialization.jsonObject(with: given, options: options) as? NSObject))
    }

    @Test("a body 50 levels deep is sent")
    func deep() async throws {
        let body = String(repeating: #"{"x":["#, count: 25) + "1" + String(repeating: "]}", count: 25)
        let upload = try #require(try await sent(#"{"url":"\#(server.url("/in"))","requestBody":\#(body)}"#))
        #expect(String(decoding: upload.bytes, as: UTF8.self) == body)
    }

    @Test("a body that is deep and wide is read, stored without its secrets, and sent", .timeLimit(.minutes(5)))
    func deepAndWide() async throws {
        let (open, close) = (String(repeating: "[", count: 200), String(repeating: "]", count: 200))
        let inside = [String](repeating: open + "1" + close, count: 400).joined(separator: ",")
        let body = "[" + open + inside + close + "]"
        let json = #"{"url":"\#(server.url("/in"))?token=0123456789","requestBody":\#(body)}"#
        let rest = try #require(TransferInputSecrets.removed(from: json))
        #expect(rest.contains(body))
        #expect(!rest.contains("0123456789"))
        let input = try JSONCoding.value(HttpSyncWorker.Input.self, from: json)
        #expect(input.bodyJSON == body)
        #expect(try await place.run(HttpSyncWorker.self, input).isSuccess)
        #expect(server.uploads(at: "/in").last.map { String(decoding: $0.bytes, as: UTF8.self) } == body)
        let scheduler = try place.scheduler()
        let accepted = try await scheduler.enqueue(
            TaskRequest(workerClassName: HttpSyncWorker.name, inputJSON: json))
        guard case .accepted = accepted else { throw CancellationError() }
        let wrong = String(json.dropLast()) + #","timeoutMs":1.5,"x":"# + body.replacing("1", with: "0.5") + "}"
        let refused = try await scheduler.enqueue(
            TaskRequest(workerClassName: HttpSyncWorker.name, inputJSON: wrong))
        #expect("\(refused)".contains("timeoutMs"))
        #expect("\(refused)".utf8.count < 20_000)
        await scheduler.shutdown()
    }

    @Test("names that differ only in how their characters are composed are two names")
    func composition() async throws {
        let body = #"{"e\u0301":2,"\u00e9":1,"\u00e9":{"e\u0301":4,"\u00e9":3}}"#
        let input = try JSONCoding.value(
            HttpSyncWorker.Input.self, from: #"{"url":"\#(server.url("/in"))","requestBody":\#(body)}"#)
        #expect(try await place.run(HttpSyncWorker.self, input).isSuccess)
        let sent = try #require(server.uploads(at: "/in").last).bytes
        let expected = "{\"e\u{301}\":2,\"\u{e9}\":{\"e\u{301}\":4,\"\u{e9}\":3}}"
        #expect(sent == Array(expected.utf8))
    }

    @Test("a number that no double is near is named")
    func hugeNumber() throws {
        let json = #"{"url":"http://h/","requestBody":{"a":[1e400]}}"#
        do {
            _ = try JSONCoding.value(HttpSyncWorker.Input.self, from: json)
            Issue.record("it was read")
        } catch {
            #expect(
                JSONCoding.words(for: error, in: json)
                    == #""requestBody": the number 1e400 is out of the range of a double"#)
        }
    }

    @Test("an absent and a null body are none; a Content-Type of the input's own stays")
    func none() async throws {
        server.setBehaviour(.status(201), for: "/small")
        for json in ["null", nil] {
            let body = json.map { #","requestBody":\#($0)"# } ?? ""
            let input = try JSONCoding.value(
                HttpSyncWorker.Input.self, from: #"{"url":"\#(server.url("/small"))"\#(body)}"#)
            #expect(try await place.output(HttpSyncWorker.self, input).status == 201)
        }
        #expect(server.requests.allSatisfy { $0.receivedBytes == 0 && $0.header("content-type") == nil })
        var input = HttpSyncWorker.Input(url: server.url("/in"), method: "Patch")
        input.options.headers = ["content-type": "application/merge-patch+json"]
        try input.setBody(["steps": 8000])
        #expect(input.bodyJSON == #"{"steps":8000}"#)
        server.setBehaviour(.status(200), for: "/in")
        #expect(try await place.run(HttpSyncWorker.self, input).isSuccess)
        #expect(server.requests.last?.header("content-type") == "application/merge-patch+json")
        #expect(server.requests.last?.method == "PATCH")
    }

    @Test("what cannot be written as JSON is no body")
    func notEncodable() {
        var input = HttpSyncWorker.Input(url: "http://h/")
        #expect(throws: EncodingError.self) { try input.setBody(["x": Double.nan]) }
        #expect(input.bodyJSON == nil)
    }

    @Test("it retries and fails by the same rules")
    func results() async throws {
        var input = HttpSyncWorker.Input(url: server.url("/in"))
        try input.setBody([1])
        server.setBehaviour(.status(503, retryAfter: .seconds(4)), for: "/in")
        #expect(
            try await place.run(HttpSyncWorker.self, input)
                == .retry(
                    reason: "POST \(server.url("/in")): the server answered 503. Try again later.", after: .seconds(4)))
        server.setBehaviour(.status(422), for: "/in")
        #expect(
            try await place.run(HttpSyncWorker.self, input)
                == .failure(message: "POST \(server.url("/in")): the server answered 422. Check the request."))
    }
}
