import Testing

@testable import BackgroundWorkTransfers

@Suite("The frame of a form")
struct MultipartFormTests {
    private func head(
        field: String = "file", name: String = "a.txt", type: String? = "text/plain", fields: [String: String] = [:]
    ) -> String {
        let form = MultipartForm(boundary: "B", fieldName: field, fileName: name, mimeType: type, fields: fields)
        return String(decoding: form.head, as: UTF8.self)
    }

    @Test("the fields come first, then the file's part, and the end")
    func layout() {
        let form = MultipartForm(
            boundary: "B", fieldName: "file", fileName: "a.txt", mimeType: nil, fields: ["z": "2", "a": "1"])
        #expect(
            String(decoding: form.head, as: UTF8.self) == """
                --B\r
                Content-Disposition: form-data; name="a"\r
                \r
                1\r
                --B\r
                Content-Disposition: form-data; name="z"\r
                \r
                2\r
                --B\r
                Content-Disposition: form-data; name="file"; filename="a.txt"\r
                Content-Type: application/octet-stream\r
                \r

                """)
        #expect(String(decoding: form.tail, as: UTF8.self) == "\r\n--B--\r\n")
        #expect(form.contentType == "multipart/form-data; boundary=B")
    }

    @Test(
        "what would end the quotes or the line is written as browsers write it",
        arguments: [
            ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\nb", "a%0Ab"), ("a\rb", "a%0Db"), ("a\\b", "a\\b"),
            ("a%22b", "a%22b"), ("Übung 1 – 日本.txt", "Übung 1 – 日本.txt"), ("a\u{301}\"", "a\u{301}%22"),
            ("\"\u{301}", "%22\u{301}"),
        ])
    func quoted(name: String, written: String) {
        #expect(head(name: name).contains("filename=\"\(written)\"\r\n"))
        #expect(head(field: name).contains("name=\"\(written)\"; filename=\"a.txt\"\r\n"))
        #expect(
            head(fields: [name: "v"]).hasPrefix("--B\r\nContent-Disposition: form-data; name=\"\(written)\"\r\n\r\nv"))
    }

    @Test("a field's value is sent as it is, line breaks and all")
    func values() {
        #expect(head(fields: ["a": "1\r\n2\"\n–"]).contains("\r\n\r\n1\r\n2\"\n–\r\n--B"))
    }
}
