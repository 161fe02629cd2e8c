import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

struct UploadInputRulesTests {
    private func validated(_ json: String) throws -> ValidatedTransfer {
        let input = try WorkerRegistry.decode(UploadConfiguration.self, from: json, for: "BackgroundUploadWorker")
        return try UploadInputRules(worker: "BackgroundUploadWorker").validated(input, defaultSession: "default")
    }

    @Test(
        "each form is taken",
        arguments: [
            #""mimeType":"text/plain; charset=utf-8""#, #""method":"post""#,
            #""form":"multipart","fileFieldName":"photo","fileName":"ä \"b\".jpg","fields":{"album":"a\nb"}"#,
            #""form":"tus","metadata":{"filename":"ä","empty":""},"method":null"#,
        ])
    func forms(members: String) throws {
        let upload = try validated(#"{"url":"https://h/","filePath":"/f",\#(members)}"#)
        #expect(
            upload
                == ValidatedTransfer(
                    url: "https://h/", path: "/f", sessionIdentifier: "default", options: TransferOptions()))
    }

    @Test(
        "input that breaks a rule is rejected, and the field is named",
        arguments: [
            (#""url":"ftp://h/","filePath":"/f""#, "url"), (#""url":"https://h/""#, "filePath"),
            (#""url":"https://h/","filePath":"f""#, "filePath"), (#""url":"https://h/","filePath":"/f/""#, "filePath"),
            (#""url":"https://h/","filePath":"/f","method":"DELETE""#, "method"),
            (#""url":"https://h/","filePath":"/f","method":"PUT\r\nX: y""#, "method"),
            (#""url":"https://h/","filePath":"/f","form":"ftp""#, "form"),
            (#""url":"https://h/","filePath":"/f","mimeType":"text""#, "mimeType"),
            (#""url":"https://h/","filePath":"/f","mimeType":"text/plain\r\nX: y""#, "mimeType"),
            (#""url":"https://h/","filePath":"/f","form":"multipart","fileFieldName":"""#, "fileFieldName"),
            (#""url":"https://h/","filePath":"/f","form":"multipart","fileName":"a\r\nX: y""#, "fileName"),
            (#""url":"https://h/","filePath":"/f","form":"multipart","fields":{"a\n":"b"}"#, "fields"),
            (#""url":"https://h/","filePath":"/f","form":"multipart","fields":{"a":"b\u0000"}"#, "fields"),
            (#""url":"https://h/","filePath":"/f","form":"multipart","fields":{"a":1}"#, "fields.a"),
            (#""url":"https://h/","filePath":"/f","form":"tus","metadata":{"a b":"c"}"#, "metadata"),
            (#""url":"https://h/","filePath":"/f","bytesPerSecond":0"#, "bytesPerSecond"),
            (#""url":"https://h/","filePath":"/f","headers":{"content-length":"5"}"#, "headers"),
            (#""url":"https://h/","filePath":"/f","headers":{"Transfer-Encoding":"chunked"}"#, "headers"),
            (#""url":"https://h/","filePath":"/f","headers":{"Host":"other"}"#, "headers"),
            (#""url":"https://h/","filePath":"/f","headers":{"Connection":"close"}"#, "headers"),
            (#""url":"https://h/","filePath":"/f","form":"body","fileFieldName":"photo""#, "fileFieldName"),
            (#""url":"https://h/","filePath":"/f","form":"tus","fields":{"a":"b"}"#, "fields"),
            (#""url":"https://h/","filePath":"/f","form":"multipart","metadata":{"a":"b"}"#, "metadata"),
            (#""url":"https://h/","filePath":"/f","form":"tus","mimeType":"text/plain""#, "mimeType"),
        ])
    func refused(members: String, field: String) throws {
        let error = #expect(throws: WorkerInputError.self) { try validated("{\(members)}") }
        #expect(error?.description.contains("\"\(field)\"") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("BackgroundUploadWorker") == true)
    }

    @Test(
        "fields of a form make the body one, if no other is named",
        arguments: [#""fileFieldName":"photo""#, #""fields":{"album":"a"}"#, #""fileName":"a.jpg","mimeType":null"#])
    func impliedForm(members: String) throws {
        let input = try WorkerRegistry.decode(
            UploadConfiguration.self, from: #"{"url":"https://h/","filePath":"/f",\#(members)}"#, for: "W")
        guard case .multipart = input.form else {
            Issue.record("\(input.form)")
            return
        }
        #expect(input.method == "POST")
    }
}
