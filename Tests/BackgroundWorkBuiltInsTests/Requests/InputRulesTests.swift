import BackgroundWork
import Foundation
import TestSupport
import Testing

/// What is refused when it is enqueued, by the real way through the scheduler.
@Suite("The inputs of the workers that send requests")
struct InputRulesTests {
    private func answer(_ worker: String, _ json: String) async throws -> ScheduleResult {
        let folder = try TemporaryFolder()
        let scheduler = try WorkScheduler(
            configuration: .init(directory: URL(filePath: folder.path)), workers: WorkerRegistry())
        let answer = try await scheduler.enqueue(TaskRequest(workerClassName: worker, inputJSON: json))
        await scheduler.shutdown()
        return answer
    }

    private func refusal(_ worker: String, _ json: String) async throws -> String? {
        if case .rejectedBySystem(let reason) = try await answer(worker, json) { return reason }
        return nil
    }

    /// Fields of each worker that are valid, as members of an object without its braces.
    static let valid: [String: String] = [
        "HttpRequestWorker": #""url":"https://example.com/x","method":"POST","body":"b""#,
        "HttpSyncWorker": #""url":"https://example.com/x","requestBody":{"a":1}"#,
        "HttpUploadWorker": #""url":"https://example.com/x","filePath":"/f""#,
        "ParallelHttpUploadWorker": #""url":"https://example.com/x","files":[{"filePath":"/f"}]"#,
    ]

    @Test(
        "the ancestor's input is accepted, under the ancestor's name as well, with nulls, and unknown fields",
        arguments: valid.keys.sorted())
    func accepted(worker: String) async throws {
        let json =
            "{" + (Self.valid[worker] ?? "") + #","headers":null,"timeoutMs":null,"signing":null,"future":{"x":[1]}}"#
        for name in [worker, "dev.brewkits.kmpworkmanager.workers.builtins.\(worker)"] {
            let refusal = try await refusal(name, json)
            #expect(refusal == nil)
        }
    }

    /// What is wrong with any of them, by the field that the reason names.
    static let wrongInAll: [(field: String, members: String)] = [
        ("url", #""url":"ftp://example.com/""#), ("url", #""url":"""#), ("url", #""url":"https://""#),
        ("url", #""url":"http://127.0.0.1/""#), ("url", #""url":"http://2130706433/""#),
        ("url", #""url":"http://0x7f.1/""#), ("url", #""url":"http://0177.0.0.1/""#),
        ("url", #""url":"http://10.0.0.1/""#), ("url", #""url":"http://169.254.169.254/""#),
        ("url", #""url":"http://[::1]/""#), ("url", #""url":"https://a@b@example.com/""#),
        ("url", #""url":5"#), ("url", #""url":null"#),
        ("headers", #""headers":{"A b":"c"}"#), ("headers", #""headers":{"A":"b\r\nC: d"}"#),
        ("headers", #""headers":{"Content-Length":"5"}"#), ("headers", #""headers":["A"]"#),
        ("headers.A", #""headers":{"A":1}"#),
        ("timeoutMs", #""timeoutMs":0"#), ("timeoutMs", #""timeoutMs":-1"#), ("timeoutMs", #""timeoutMs":"5""#),
        ("timeoutMs", #""timeoutMs":1.5"#),
        ("bytesPerSecond", #""bytesPerSecond":0"#),
        ("signing.key", #""signing":{"key":""}"#), ("signing.key", #""signing":{}"#),
        ("signing.headerName", #""signing":{"key":"k","headerName":"A b"}"#),
        ("signing.headerName", #""signing":{"key":"k","headerName":"Host"}"#),
        ("signing.headerName", #""headers":{"x-SIGNATURE":"a"},"signing":{"key":"k"}"#),
        (
            "signing.headerName",
            #""authentication":{"scheme":"bearer","token":"t"},"signing":{"key":"k","headerName":"authorization"}"#
        ),
        ("signing.prefix", #""signing":{"key":"k","prefix":"a\n"}"#),
        ("signing.timestampHeaderName", #""signing":{"key":"k","timestampHeaderName":"X-Signature"}"#),
        ("signing.timestampHeaderName", #""signing":{"key":"k","timestampHeaderName":""}"#),
        ("authentication.scheme", #""authentication":{"scheme":"ntlm"}"#),
        ("authentication", #""authentication":{"scheme":"basic","user":"a:b","password":"c"}"#),
        ("tokenRefresh.url", #""tokenRefresh":{"url":"http://localhost/t"}"#),
        ("tokenRefresh.tokenPath", #""tokenRefresh":{"url":"https://example.com/","tokenPath":"a..b"}"#),
        ("proxy", #""proxy":"http://127.0.0.1:1""#),
        ("tls.clientCertificatePath", #""tls":{"clientCertificatePath":"relative"}"#),
    ]

    @Test("what all of them refuse, and the field's name in the reason", arguments: valid.keys.sorted())
    func common(worker: String) async throws {
        for (field, members) in Self.wrongInAll {
            // Of doubled names the last counts.
            let reason = try await refusal(worker, "{" + (Self.valid[worker] ?? "") + "," + members + "}")
            #expect(reason?.contains("\"\(field)\"") == true, "\(members): \(reason ?? "accepted")")
            #expect((reason?.utf8.count ?? 0) < 600)
        }
    }

    static let wrong: [(worker: String, field: String, members: String)] = [
        ("HttpRequestWorker", "method", #""method":"HEAD""#), ("HttpRequestWorker", "method", #""method":"""#),
        ("HttpRequestWorker", "body", #""method":"GET""#), ("HttpRequestWorker", "body", #""body":{"a":1}"#),
        ("HttpRequestWorker", "maxResponseBytes", #""maxResponseBytes":-1"#),
        ("HttpRequestWorker", "maxResponseBytes", #""keepResponseBody":true,"maxResponseBytes":1048577"#),
        ("HttpRequestWorker", "keepResponseBody", #""keepResponseBody":1"#),
        ("HttpSyncWorker", "method", #""method":"DELETE""#), ("HttpSyncWorker", "requestBody", #""method":"get""#),
        ("HttpSyncWorker", "maxResponseBytes", #""maxResponseBytes":"1""#),
        ("HttpUploadWorker", "filePath", #""filePath":"relative""#),
        ("HttpUploadWorker", "filePath", #""filePath":" ""#),
        ("HttpUploadWorker", "filePath", #""filePath":"/a/../b""#),
        ("HttpUploadWorker", "filePath", #""filePath":"/a/""#),
        ("HttpUploadWorker", "filePath", #""filePath":"/proc/self/environ""#),
        ("HttpUploadWorker", "filePath", #""filePath":"/etc/passwd""#),
        ("HttpUploadWorker", "filePath", #""filePath":null"#),
        ("HttpUploadWorker", "fileFieldName", #""fileFieldName":"""#),
        ("HttpUploadWorker", "fileName", #""fileName":"a\r\nb""#),
        ("HttpUploadWorker", "mimeType", #""mimeType":"text""#),
        ("HttpUploadWorker", "mimeType", #""mimeType":"text/plain\r\nX: y""#),
        ("HttpSyncWorker", "requestBody", #""requestBody":[1e400]"#),
        ("HttpSyncWorker", "url\": it is \"https://example.com:0/\", whose port", #""url":"https://example.com:0/""#),
        (
            "HttpUploadWorker", "url\": it is \"http://a.example:99999/\", whose port",
            #""url":"http://a.example:99999/""#
        ),
        ("HttpUploadWorker", "fileName\": \"a??b?\" is empty or has", #""fileName":"a\r\nb\u0007""#),
        ("HttpUploadWorker", "fields", #""fields":{"":"x"}"#),
        ("HttpUploadWorker", "fields", #""fields":{"\u00e9":"1","e\u0301":"2"}"#),
        ("HttpUploadWorker", "fields", #""fields":{"a":"b\u0000"}"#),
        ("HttpUploadWorker", "fields.a", #""fields":{"a":[]}"#),
        ("ParallelHttpUploadWorker", "files", #""files":[]"#), ("ParallelHttpUploadWorker", "files", #""files":null"#),
        ("ParallelHttpUploadWorker", "files", #""files":{"filePath":"/f"}"#),
        ("ParallelHttpUploadWorker", "files.1.filePath", #""files":[{"filePath":"/f"},{"filePath":"g"}]"#),
        ("ParallelHttpUploadWorker", "files.0.fieldName", #""files":[{"filePath":"/f","fieldName":"\n"}]"#),
        ("ParallelHttpUploadWorker", "files.0.fileName", #""files":[{"filePath":"/f","fileName":""}]"#),
        ("ParallelHttpUploadWorker", "files.0.mimeType", #""files":[{"filePath":"/f","mimeType":"x"}]"#),
        ("ParallelHttpUploadWorker", "maxConcurrent", #""maxConcurrent":0"#),
        ("ParallelHttpUploadWorker", "maxConcurrent", #""maxConcurrent":17"#),
        ("ParallelHttpUploadWorker", "maxRetries", #""maxRetries":-1"#),
        ("ParallelHttpUploadWorker", "maxRetries", #""maxRetries":6"#),
        ("ParallelHttpUploadWorker", "maxRetries", #""maxRetries":true"#),
        ("ParallelHttpUploadWorker", "fields", #""fields":{"a\u0001":"x"}"#),
        ("ParallelHttpUploadWorker", "fields", #""fields":{"\u00e9":"1","e\u0301":"2"}"#),
    ]

    @Test("each rule of a worker's own, broken once", arguments: wrong.indices)
    func own(index: Int) async throws {
        let (worker, field, members) = Self.wrong[index]
        let reason = try await refusal(worker, "{" + (Self.valid[worker] ?? "") + "," + members + "}")
        #expect(reason?.contains("\"\(field)") == true, "\(members): \(reason ?? "accepted")")
    }

    @Test("what is no object, or 50 levels deep where a text should be, is refused", arguments: valid.keys.sorted())
    func shapes(worker: String) async throws {
        let deep = String(repeating: "[", count: 50) + String(repeating: "]", count: 50)
        for json in ["[]", "5", "null", "\"x\"", #"{"url":\#(deep)}"#, #"{"url":"https://e.com/","headers":\#(deep)}"#]
        {
            let reason = try await refusal(worker, json)
            #expect(reason != nil, "\(json)")
        }
        // What is not known is not read.
        let reason = try await refusal(worker, "{" + (Self.valid[worker] ?? "") + #","other":\#(deep)}"#)
        #expect(reason == nil)
    }

    @Test("an input of 100 MB is refused, with both sizes", arguments: valid.keys.sorted())
    func large(worker: String) async throws {
        let json =
            "{" + (Self.valid[worker] ?? "") + #","other":""# + String(repeating: "x", count: 100_000_000) + "\"}"
        let error = await #expect(throws: EnqueueError.self) { try await answer(worker, json) }
        guard case .inputTooLarge(worker, let bytes, let limit)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "accepted")")
            return
        }
        #expect(bytes == json.utf8.count)
        #expect(limit < 100_000_000)
    }

    @Test("of doubled names the last counts, at any depth")
    func doubled() async throws {
        let reason = try await refusal(
            "HttpRequestWorker", #"{"url":"ftp://x","url":"https://example.com/","method":"NO","method":"post"}"#)
        #expect(reason == nil)
        let other = try await refusal("HttpRequestWorker", #"{"url":"https://example.com/","url":"ftp://x"}"#)
        #expect(other?.contains("\"url\"") == true)
        let nested = try await refusal(
            "HttpRequestWorker", #"{"url":"https://example.com/","headers":{"A":"b\n"},"headers":{"A":"b"}}"#)
        #expect(nested == nil)
    }

    @Test("a typed input is a request without try, with the worker's name")
    func typed() throws {
        let request = TaskRequest(HttpRequestWorker.self, input: .init(url: "https://example.com/"))
        #expect(request.workerClassName == "HttpRequestWorker")
        #expect(request.inputJSON == #"{"method":"GET","url":"https://example.com/"}"#)
        let upload = TaskRequest(
            ParallelHttpUploadWorker.self, input: .init(url: "https://example.com/", files: [.init(filePath: "/f")]))
        #expect(upload.inputJSON == #"{"files":[{"fieldName":"file","filePath":"/f"}],"url":"https://example.com/"}"#)
    }

    @Test("no refusal repeats a secret of its input")
    func secrets() async throws {
        for json in [
            #"{"url":"ftp://me:ZqSecret@h/?sig=ZqSecret"}"#, #"{"url":"https://me:ZqSecret@a@b/"}"#,
            #"{"url":"https://example.com/","headers":{"Authorization: ZqSecret":"x"}}"#,
            #"{"url":"https://example.com/","signing":{"key":"ZqSecret","headerName":"a b"}}"#,
            #"{"url":"https://example.com/","signing":{"key":["ZqSecret"]}}"#,
            #"{"url":"https://example.com/","authentication":{"scheme":"ZqSecret"}}"#,
            #"{"url":"https://example.com/","body":"ZqSecret"}"#,
        ] {
            let reason = try #require(try await refusal("HttpRequestWorker", json))
            #expect(!reason.contains("ZqSecret"), "\(reason)")
        }
    }
}
