import Testing

@testable import BackgroundWorkAgent

struct ResumePolicyTests {
    private func head(_ status: Int, range: String? = nil, length: Int64? = nil) -> ResponseHead {
        var head = ResponseHead()
        head.add(line: "HTTP/1.1 \(status) Test")
        if let range { head.add(line: "Content-Range: \(range)") }
        if let length { head.add(line: "Content-Length: \(length)") }
        return head
    }

    @Test("a first request takes 200, and a 206 only from the beginning")
    func firstRequest() {
        func decision(_ head: ResponseHead) -> ResumePolicy.Decision {
            ResumePolicy.decision(for: head, offset: 0, recorded: nil)
        }
        #expect(decision(head(200)) == .startOver)
        #expect(decision(head(206, range: "bytes 0-9/10")) == .startOver)
        #expect(decision(head(206, range: "bytes 5-9/10")) == .fail)
        #expect(decision(head(206)) == .fail)
        for status in [204, 301, 304, 400, 404, 416, 500, 503] { #expect(decision(head(status)) == .fail) }
    }

    @Test("a resumed request appends only what begins at its byte and belongs to the same whole")
    func resumedRequest() {
        func decision(_ head: ResponseHead, total: Int64? = 10) -> ResumePolicy.Decision {
            ResumePolicy.decision(for: head, offset: 5, recorded: RecordedEntity(validator: "\"a\"", total: total))
        }
        #expect(decision(head(206, range: "bytes 5-9/10")) == .append)
        #expect(decision(head(206, range: "bytes 5-9/*")) == .append)
        #expect(decision(head(206, range: "bytes 5-9/11"), total: nil) == .append)
        #expect(decision(head(206, range: "bytes 5-9/11")) == .askForWhole)
        #expect(decision(head(206, range: "bytes 4-9/10")) == .askForWhole)
        #expect(decision(head(206, range: "bytes 0-9/10")) == .askForWhole)
        #expect(decision(head(206)) == .askForWhole)
        #expect(decision(head(206, range: "nonsense")) == .askForWhole)
        #expect(decision(head(200, length: 10)) == .startOver)
        #expect(decision(head(416, range: "bytes */5")) == .complete)
        #expect(decision(head(416, range: "bytes */9")) == .askForWhole)
        #expect(decision(head(416)) == .askForWhole)
        #expect(decision(head(404)) == .fail)
        #expect(decision(head(500)) == .fail)
    }

    @Test(
        "content ranges are read strictly",
        arguments: [
            ("bytes 0-0/1", true), ("Bytes 5-9/10", true), ("bytes */10", true), ("bytes 5-9/*", true),
            ("bytes 9-5/10", false), ("bytes 5-/10", false), ("bytes -5/10", false), ("5-9/10", false),
            ("bytes 5-9", false), ("bytes a-b/c", false), ("items 5-9/10", false), ("", false),
        ])
    func contentRange(text: String, isValid: Bool) {
        #expect((ContentRange(text) != nil) == isValid)
    }

    @Test("only strong tags and dates resume")
    func validators() {
        func validator(_ lines: String...) -> String? {
            var head = ResponseHead()
            for line in ["HTTP/1.1 200 OK"] + lines { head.add(line: line) }
            return head.validator
        }
        #expect(validator("ETag: \"a\"") == "\"a\"")
        #expect(validator("etag:\"a\" ") == "\"a\"")
        #expect(validator("ETag: W/\"a\"") == nil)
        #expect(validator("ETag: a") == nil)
        #expect(validator("ETag: W/\"a\"", "Last-Modified: Sat, 21 Nov 2026 00:00:00 GMT") != nil)
        #expect(validator() == nil)
    }

    @Test("each status line begins a new head")
    func redirectedHeads() {
        var head = ResponseHead()
        for line in ["HTTP/1.1 302 Found", "Content-Length: 5", "ETag: \"old\"", "HTTP/2 200", "content-length: 7"] {
            head.add(line: line)
        }
        #expect(head.status == 200)
        #expect(head.contentLength == 7)
        #expect(head.entityTag == nil)
    }

    @Test(
        "messages and logs show a URL without its secrets",
        arguments: [
            ("https://host/path?token=secret#part", "https://host/path"),
            ("http://user:secret@host:81/path", "http://host:81/path"),
            ("http://user:se@cret@host", "http://host"), ("http://host?secret", "http://host"),
            ("nonsense", "nonsense"), ("http://host/a\nb", "http://host/a?b"),
        ])
    func redaction(url: String, shown: String) {
        #expect(RedactedURL(url).description == shown)
    }
}
