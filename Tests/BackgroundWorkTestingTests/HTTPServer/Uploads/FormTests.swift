import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// Forms with fields and files.
struct FormTests {
    let server: LocalHTTPServer

    init() throws {
        server = try LocalHTTPServer()
        server.acceptUploads(at: "/form")
        try server.start()
    }

    // With curl, which is a program.
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    @Test("fields and files that curl sends are found by name, type and content")
    func form() async throws {
        let folder = try TemporaryFolder()
        let bytes: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) } + Array("\r\n--".utf8)
        try Data(bytes).write(to: URL(filePath: folder.path + "/photo.jpg"))
        let answer = try await Curl.answer(
            "--form-string", "title=Grüße; \"quoted\"", "-F", "empty=", "-F",
            "photo=@\(folder.path)/photo.jpg;type=image/jpeg;filename=\"a;b\\\"c.jpg\"", server.url("/form"))
        #expect(answer.status == 200)
        let parts = try #require(server.uploads(at: "/form").first).formParts()
        #expect(parts.map(\.name) == ["title", "empty", "photo"])
        #expect(parts[0].text == "Grüße; \"quoted\"")
        #expect(parts[0].filename == nil)
        #expect(parts[0].contentType == nil)
        #expect(parts[1].bytes.isEmpty)
        #expect(parts[2].filename == "a;b\"c.jpg" || parts[2].filename == "a;b%22c.jpg", "curl's versions differ")
        #expect(parts[2].contentType == "image/jpeg")
        #expect(parts[2].bytes == bytes)
    }
    #endif

    @Test(
        "a malformed form is told from a good one",
        arguments: [
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--\r\n", true),
            ("--b--\r\n", true),
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--", true),
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b\r\n", false),
            ("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", false),
            ("--b\nContent-Disposition: form-data; name=\"a\"\n\nx\n--b--\n", false),
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--\r\nmore", false),
            ("--b\r\nContent-Disposition: form-data; name=\"a\"\r\nx\r\n--b--\r\n", false),
            ("", false),
        ])
    func syntax(body: String, isGood: Bool) async throws {
        _ = try await HTTPClient.answer(
            server.url("/form"), method: "POST", headers: ["Content-Type": "multipart/form-data; boundary=\"b\""],
            body: body.utf8)
        let upload = try #require(server.uploads(at: "/form").first)
        if isGood {
            #expect(throws: Never.self) { try upload.formParts() }
        } else {
            #expect(throws: FormError.self) { try upload.formParts() }
        }
    }

    @Test("a body that is not a form, or was not kept as a whole, is reported as such")
    func notAForm() async throws {
        _ = try await HTTPClient.answer(
            server.url("/form"), method: "POST", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "a=1".utf8)
        let upload = try #require(server.uploads(at: "/form").first)
        #expect(throws: FormError.notAForm(contentType: "application/x-www-form-urlencoded")) {
            try upload.formParts()
        }
        server.acceptUploads(at: "/form", keeping: 10)
        _ = try await HTTPClient.answer(
            server.url("/form"), method: "POST", headers: ["Content-Type": "multipart/form-data; boundary=b"],
            body: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n".utf8)
        let cut = try #require(server.uploads(at: "/form").first)
        #expect(throws: FormError.notWhole(received: cut.byteCount, kept: 10)) { try cut.formParts() }
    }
}
