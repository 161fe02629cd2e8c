import BackgroundWorkFiles
import BackgroundWorkHTTP
import BackgroundWorkModel
import BackgroundWorkTesting
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

/// The codes are those of Python's `hmac.new(key, text, "sha256")`.
struct RequestSigningTests {
    private let time = Date(timeIntervalSince1970: 1_700_000_000.9)

    private func signed(_ signing: RequestSigning, _ request: HTTPRequest) async throws -> HTTPRequest {
        try await signing.signed(request, at: time)
    }

    @Test("method, URL, body and whole seconds are signed, as the documentation's example says")
    func example() async throws {
        let signing = RequestSigning(key: "secret", prefix: "sha256=", timestampHeaderName: "X-Time")
        let request = try await signed(
            signing,
            HTTPRequest("https://example.com/orders?id=5#part", method: "POST", body: .bytes(Data(#"{"a":1}"#.utf8))))
        #expect(
            request.headers["X-Signature"] == "sha256=12450329e1808ecd6f8831179d862142ecdfa725851035c445a507855581333d")
        #expect(request.headers["X-Time"] == "1700000000")
        #expect(request.ownOriginHeaders == ["X-Signature", "X-Time"])
    }

    @Test("without a body and without a header for the time, their lines are empty")
    func empty() async throws {
        let request = try await signed(RequestSigning(key: "schlüssel"), HTTPRequest("https://example.com/"))
        #expect(request.headers["X-Signature"] == "9a0f019b47d492914581d49935aea09f99a8a712c5e67ae84a7642404ae43125")
        #expect(request.headers.fields.count == 1)
    }

    @Test("of a form every byte is signed as it is sent")
    func form() async throws {
        let place = try WorkerPlace()
        var input = HttpUploadWorker.Input(
            url: place.server.url("/in"), filePath: try place.file(bytes: 700_001), fields: ["a": "b"])
        input.options.signing = RequestSigning(key: "k", headerName: "X-Code", timestampHeaderName: "X-At")
        #expect(try await place.run(HttpUploadWorker.self, input).isSuccess)
        let upload = try #require(place.server.uploads(at: "/in").first)
        let code = try HMAC(key: "k".utf8)
        code.update(Array("POST\n\(place.server.url("/in"))\n".utf8) + upload.bytes)
        code.update(Array("\n\(upload.headers["x-at"] ?? "")".utf8))
        #expect(try upload.headers["x-code"] == code.finish())
        #expect(upload.bytes.count > 700_001)
    }

    @Test("a body whose bytes are not known before it is sent is refused")
    func stream() async throws {
        let stream = AsyncThrowingStream<Data, any Error> { $0.finish() }
        for body in [HTTPBody.stream(length: nil, stream), .file(path: "/f"), .form(HTTPForm(filePath: "/f"))] {
            let failure = await #expect(throws: TransferFailure.self) {
                try await signed(RequestSigning(key: "k"), HTTPRequest("http://h/", method: "PUT", body: body))
            }
            #expect(failure?.message.contains("cannot be signed") == true)
        }
    }

    @Test("it is read from JSON with defaults, written whole, and shown without its key")
    func coding() throws {
        let short = try JSONCoding.value(RequestSigning.self, from: #"{"key":"KEY-OF-ALL"}"#)
        #expect(short == RequestSigning(key: "KEY-OF-ALL", headerName: "X-Signature", prefix: ""))
        let full = RequestSigning(key: "KEY-OF-ALL", headerName: "A", prefix: "p", timestampHeaderName: "T")
        #expect(try JSONCoding.value(RequestSigning.self, from: JSONCoding.text(of: full)) == full)
        var input = HttpRequestWorker.Input(url: "http://h/?sig=abcdefgh", body: "BODY-OF-ALL")
        input.options.signing = full
        input.options.headers = ["X-Api-Key": "KEY-OF-ALL"]
        var words = ""
        dump(input, to: &words)
        words += "\(input)"
        #expect(!words.contains("OF-ALL") && !words.contains("abcdefgh"), "\(words)")
        #expect(TransferInputSecrets.removed(from: input.inputJSON)?.contains("KEY-OF-ALL") == false)
    }
}
