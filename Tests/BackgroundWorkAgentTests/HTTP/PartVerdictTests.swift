import BackgroundWorkExchange
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("The answer to a request for one part")
struct PartVerdictTests {
    private static let entity = RecordedEntity(validator: "\"v1\"", total: 100)

    private func verdict(
        _ status: Int, _ lines: String..., part: Range<Int64> = 40..<60, entity: RecordedEntity = entity
    ) -> ResponseVerdict {
        var headers = ResponseHeaders()
        for line in ["HTTP/1.1 \(status) Words"] + lines { headers.add(line: line + "\r\n") }
        return ResumePolicy.verdict(on: headers, part: part, of: entity)
    }

    @Test("exactly that part of that version is taken")
    func exact() {
        #expect(verdict(206, "Content-Range: bytes 40-59/100") == .append)
        #expect(verdict(206, "Content-Range: bytes 40-59/*") == .append)
        #expect(verdict(206, "Content-Range: bytes 40-59/100", "ETag: \"v1\"") == .append)
        let dated = RecordedEntity(validator: "then", total: 100)
        #expect(verdict(206, "Content-Range: bytes 40-59/100", "ETag: \"any\"", entity: dated) == .append)
    }

    @Test(
        "another part has the whole asked for",
        arguments: [
            "bytes 40-58/100", "bytes 40-60/100", "bytes 39-59/100", "bytes 41-59/100", "bytes 0-99/100",
            "bytes 40-59/101", "bytes */100", "items 40-59/100", "bytes 40-", "nonsense", "",
        ])
    func other(range: String) {
        #expect(verdict(206, "Content-Range: \(range)") == .askForWhole)
    }

    @Test("another version has the whole asked for, and so has a packed body")
    func otherVersion() {
        #expect(verdict(206) == .askForWhole)
        #expect(verdict(206, "Content-Range: bytes 40-59/100", "ETag: \"v2\"") == .askForWhole)
        #expect(verdict(206, "Content-Range: bytes 40-59/100", "ETag: W/\"v1\"") == .askForWhole)
        #expect(verdict(206, "Content-Range: bytes 40-59/100", "Content-Encoding: gzip") == .askForWhole)
        #expect(verdict(200, "ETag: \"v2\"") == .askForWhole)
        #expect(verdict(200) == .askForWhole)
        #expect(verdict(416, "Content-Range: bytes */50") == .askForWhole)
    }

    @Test("the whole of the same version means that the server takes no ranges")
    func ignored() {
        #expect(verdict(200, "ETag: \"v1\"") == .rangesIgnored)
        #expect(verdict(200, "ETag: \"v1\"", "Content-Encoding: gzip") == .askForWhole)
    }

    @Test("every other status is a failure", arguments: [201, 204, 304, 401, 403, 404, 429, 500, 503])
    func fails(status: Int) {
        #expect(verdict(status, "ETag: \"v1\"") == .fail(.status))
    }
}
