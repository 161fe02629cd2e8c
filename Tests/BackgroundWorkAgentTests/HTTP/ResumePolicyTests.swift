import BackgroundWorkExchange
import BackgroundWorkTransfers
import Testing

@testable import BackgroundWorkAgent

@Suite("Resuming a transfer")
struct ResumePolicyTests {
    private static let entity = RecordedEntity(validator: "\"v1\"", total: 100)

    private func head(_ status: Int, _ lines: String...) -> ResponseHeaders {
        var headers = ResponseHeaders()
        for line in ["HTTP/1.1 \(status) Words"] + lines { headers.add(line: line + "\r\n") }
        return headers
    }

    private func verdict(_ headers: ResponseHeaders, offset: Int64, entity: RecordedEntity? = entity) -> ResponseVerdict
    {
        ResumePolicy.verdict(on: headers, offset: offset, entity: entity)
    }

    @Test("the request starts at the file's end if its bytes are verifiable, otherwise at zero")
    func offsets() {
        #expect(ResumePolicy.offset(fileSize: 40, entity: Self.entity) == 40)
        #expect(ResumePolicy.offset(fileSize: 100, entity: Self.entity) == 100)
        #expect(ResumePolicy.offset(fileSize: 101, entity: Self.entity) == 0, "longer than promised")
        #expect(ResumePolicy.offset(fileSize: 0, entity: Self.entity) == 0)
        #expect(ResumePolicy.offset(fileSize: 40, entity: nil) == 0, "nothing recorded")
        #expect(ResumePolicy.offset(fileSize: 40, entity: RecordedEntity(validator: nil, total: 100)) == 0)
        #expect(ResumePolicy.offset(fileSize: 40, entity: RecordedEntity(validator: "d", total: nil)) == 40)
    }

    @Test("200 is the whole, asked for or not", arguments: [0, 40] as [Int64])
    func whole(offset: Int64) {
        let headers = head(200, "Content-Length: 7", "ETag: \"v2\"")
        #expect(verdict(headers, offset: offset) == .writeFromZero(RecordedEntity(validator: "\"v2\"", total: 7)))
        #expect(verdict(head(200), offset: offset) == .writeFromZero(RecordedEntity(validator: nil, total: nil)))
    }

    @Test("206 that starts at the file's end continues there")
    func part() {
        #expect(verdict(head(206, "Content-Range: bytes 40-99/100"), offset: 40) == .append)
        #expect(verdict(head(206, "Content-Range: bytes 40-99/*"), offset: 40) == .append)
        #expect(verdict(head(206, "Content-Range: bytes 40-99/100", "ETag: \"v1\""), offset: 40) == .append)
        let unknownTotal = RecordedEntity(validator: "\"v1\"", total: nil)
        #expect(verdict(head(206, "Content-Range: bytes 40-59/60"), offset: 40, entity: unknownTotal) == .append)
    }

    @Test(
        "206 that does not fit makes it ask for the whole, once",
        arguments: [
            "bytes 41-99/100", "bytes 39-99/100", "bytes 0-99/100", "bytes 40-98/100", "bytes 40-99/101",
            "bytes 40-59/*", "bytes 40-59/60", "bytes */100", "items 40-99/100", "bytes 40-99", "nonsense", "",
        ])
    func wrongPart(range: String) {
        #expect(verdict(head(206, "Content-Range: \(range)"), offset: 40) == .askForWhole)
        #expect(verdict(head(206), offset: 40) == .askForWhole)
    }

    @Test("206 of another version is detected by its tag")
    func otherVersion() {
        let headers = head(206, "Content-Range: bytes 40-99/100", "ETag: \"v2\"")
        #expect(verdict(headers, offset: 40) == .askForWhole)
    }

    @Test("206 that was not asked for is taken only if it says that it is the whole")
    func unaskedPart() {
        let whole = head(206, "Content-Range: bytes 0-99/100", "Last-Modified: then")
        #expect(verdict(whole, offset: 0) == .writeFromZero(RecordedEntity(validator: "then", total: 100)))
        for range in ["bytes 1-99/100", "bytes 0-98/100", "bytes 0-99/*", "x"] {
            #expect(verdict(head(206, "Content-Range: \(range)"), offset: 0) == .fail(.wrongRange))
        }
    }

    @Test("416 means complete only when file, promise and answer agree")
    func unsatisfiable() {
        #expect(verdict(head(416, "Content-Range: bytes */100"), offset: 100) == .complete)
        #expect(verdict(head(416, "Content-Range: bytes */90"), offset: 100) == .askForWhole)
        #expect(verdict(head(416, "Content-Range: bytes */100"), offset: 40) == .askForWhole)
        #expect(verdict(head(416), offset: 100) == .askForWhole)
        let unknownTotal = RecordedEntity(validator: "\"v1\"", total: nil)
        #expect(verdict(head(416, "Content-Range: bytes */100"), offset: 100, entity: unknownTotal) == .askForWhole)
        #expect(verdict(head(416, "Content-Range: bytes */100"), offset: 0) == .fail(.status))
    }

    @Test(
        "every other status is a failure", arguments: [201, 204, 301, 304, 400, 401, 403, 404, 408, 410, 429, 500, 503])
    func otherStatus(status: Int) {
        #expect(verdict(head(status), offset: 0) == .fail(.status))
        #expect(verdict(head(status), offset: 40) == .fail(.status))
        #expect(TransferFailure.isRetryable(status: status) == [408, 429, 500, 503].contains(status))
    }
}
