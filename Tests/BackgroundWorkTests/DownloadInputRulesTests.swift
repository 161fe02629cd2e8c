import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

struct DownloadInputRulesTests {
    private func validated(_ json: String) throws -> ValidatedDownload {
        let input = try JSONDecoder().decode(BackgroundDownloadWorker.Input.self, from: Data(json.utf8))
        return try DownloadInputRules(worker: "BackgroundDownloadWorker").validated(input, defaultSession: "default")
    }

    @Test("what is left out or null takes the ancestor's default, and unknown fields are ignored")
    func defaults() throws {
        let download = try validated(
            #"{"url":"HTTPS://h/f","savePath":"/p","headers":null,"isDiscretionary":true,"future":{"x":1}}"#)
        #expect(
            download
                == ValidatedDownload(
                    url: "HTTPS://h/f", savePath: "/p", sessionIdentifier: "default", headers: [:],
                    stallTimeoutMs: 1_800_000))
    }

    @Test(
        "what breaks a rule is refused, and the field named",
        arguments: [
            (#"{"url":"ftp://h/f","savePath":"/p"}"#, "url"), (#"{"url":"file:///etc/passwd","savePath":"/p"}"#, "url"),
            (#"{"url":"http://","savePath":"/p"}"#, "url"), (#"{"url":"http:///f","savePath":"/p"}"#, "url"),
            (#"{"url":"http://a@b@c/f","savePath":"/p"}"#, "url"), (#"{"url":"http://h/a b","savePath":"/p"}"#, "url"),
            (#"{"url":"http://h/\r\nX: y","savePath":"/p"}"#, "url"), (#"{"url":"","savePath":"/p"}"#, "url"),
            (#"{"url":"http://h\\@x/","savePath":"/p"}"#, "url"), (#"{"url":"http://h/","savePath":""}"#, "savePath"),
            (#"{"url":"http://h/","savePath":"  "}"#, "savePath"),
            (#"{"url":"http://h/","savePath":"a/b"}"#, "savePath"),
            (#"{"url":"http://h/","savePath":"/a/"}"#, "savePath"),
            (#"{"url":"http://h/","savePath":"/a\u0000b"}"#, "savePath"),
            (#"{"url":"http://h/","savePath":"/p","sessionIdentifier":" "}"#, "sessionIdentifier"),
            (#"{"url":"http://h/","savePath":"/p","timeoutMs":0}"#, "timeoutMs"),
            (#"{"url":"http://h/","savePath":"/p","headers":{"A":"b\r\nC: d"}}"#, "A"),
            (#"{"url":"http://h/","savePath":"/p","headers":{"A B":"c"}}"#, "A B"),
        ])
    func refused(json: String, field: String) throws {
        let error = #expect(throws: WorkerInputError.self) { try validated(json) }
        #expect(error?.description.contains("\"\(field)\"") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("BackgroundDownloadWorker") == true)
    }
}
