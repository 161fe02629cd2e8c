import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent
@testable import BackgroundWorkExchange

@Suite("The head of a response")
struct ResponseHeadersTests {
    private func head(_ lines: String...) -> ResponseHeaders {
        var headers = ResponseHeaders()
        for line in lines { headers.add(line: line) }
        return headers
    }

    @Test("names are read in any case, values without the space around them")
    func reading() {
        let headers = head("HTTP/1.1 200 All is well\r\n", "CONTENT-length:  12 \r\n", "eTag:\"a:b\"\r\n", "\r\n")
        #expect(headers.status == 200)
        #expect(headers.reason == "All is well")
        #expect(headers.contentLength == 12)
        #expect(headers.entityTag == "\"a:b\"")
    }

    @Test("a redirect's head is forgotten when the next one begins")
    func redirect() {
        let headers = head("HTTP/1.1 302 Found", "ETag: \"old\"", "Content-Length: 9", "HTTP/1.1 200")
        #expect(headers.entityTag == nil)
        #expect(headers.contentLength == nil)
        #expect(headers.reason == "")
    }

    @Test("a strong tag is the validator, else the date, never a weak tag")
    func validator() {
        #expect(head("HTTP/1.1 200", "ETag: \"a\"", "Last-Modified: then").validator == "\"a\"")
        #expect(head("HTTP/1.1 200", "ETag: W/\"a\"", "Last-Modified: then").validator == "then")
        #expect(head("HTTP/1.1 200", "ETag: W/\"a\"").validator == nil)
        #expect(head("HTTP/1.1 200", "ETag: a").validator == nil)
        #expect(head("HTTP/1.1 200", "Last-Modified:").validator == nil)
    }

    @Test(
        "content ranges",
        arguments: [
            ("bytes 5-9/10", ContentRange(bytes: 5...9, total: 10)),
            ("BYTES 0-0/1", ContentRange(bytes: 0...0, total: 1)),
            ("bytes 5-9/*", ContentRange(bytes: 5...9, total: nil)),
            ("bytes */10", ContentRange(bytes: nil, total: 10)),
            ("bytes 9-5/10", nil), ("bytes 5-10/10", nil), ("bytes -5/10", nil), ("bytes +5-9/10", nil),
            ("bytes 5-9", nil),
            ("bytes */*", nil), ("bytes 5-9/10/11", nil), ("bytes 5-99999999999999999999/*", nil), ("", nil),
        ] as [(String, ContentRange?)])
    func contentRange(text: String, expected: ContentRange?) {
        #expect(ContentRange(text) == expected)
    }

    @Test("a version's name with control characters in it is none, since it would have to be sent back")
    func brokenValidator() {
        var headers = ResponseHeaders()
        headers.add(line: "HTTP/1.1 200 OK\r\n")
        headers.add(line: "ETag: \"a\rX-Evil: 1\"\r\n")
        #expect(headers.validator == nil)
        headers.add(line: "ETag: \"a\"\r\n")
        #expect(headers.validator == "\"a\"")
    }
}
