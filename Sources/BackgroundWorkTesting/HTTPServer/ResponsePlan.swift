/// Which bytes of a resource a request gets, and under which status (RFC 9110, section 14).
struct ResponsePlan {
    let status: Int
    let start: Int64
    /// One past the last byte.
    let end: Int64
    private let size: Int64
    private let resource: Resource

    init(resource: Resource, size: Int64, headers: [String: String], ignoresRanges: Bool) {
        self.resource = resource
        self.size = size
        let range = ignoresRanges ? nil : RequestParser.range(headers["range"])
        // If-Range compares strongly; a mismatch means the whole of the new entity.
        let condition = headers["if-range"]
        let holds = condition.map { $0 == resource.entityTag || $0 == resource.lastModified } ?? true
        guard let range, holds else {
            (status, start, end) = (200, 0, size)
            return
        }
        guard range.start < size else {
            (status, start, end) = (416, 0, 0)
            return
        }
        (status, start, end) = (206, range.start, min(size, (range.end ?? size - 1) + 1))
    }

    func head(_ behaviour: Behaviour) -> String {
        var lines = ["HTTP/1.1 \(status) Test", "Accept-Ranges: bytes", "Content-Type: application/octet-stream"]
        if behaviour.hidesLength {
            lines.append("Connection: close")
        } else {
            lines.append("Content-Length: \(end - start + behaviour.promisedExtraBytes)")
        }
        if status == 206 { lines.append("Content-Range: bytes \(start)-\(end - 1)/\(size)") }
        if status == 416 { lines.append("Content-Range: bytes */\(size)") }
        if let tag = resource.entityTag { lines.append("ETag: \(tag)") }
        if let date = resource.lastModified { lines.append("Last-Modified: \(date)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
