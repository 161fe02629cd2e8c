/// Parses a `multipart/form-data` body (RFC 2046, section 5.1, and RFC 7578).
///
/// It is strict, since it checks what a client has sent: line ends are CRLF, each part has a name, and only what the
/// format allows comes before, between and after the parts.
struct FormReader {
    private let bytes: [UInt8]
    private let delimiter: [UInt8]

    init(_ bytes: [UInt8], boundary: String) {
        self.bytes = bytes
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    func parts() throws(FormError) -> [FormPart] {
        guard bytes.starts(with: delimiter.dropFirst(2)) else {
            throw .malformed("it does not start with its boundary")
        }
        var parts: [FormPart] = []
        var position = delimiter.count - 2
        while true {
            let end = bytes[position...].prefix(2)
            if end.elementsEqual("--".utf8) {
                let rest = bytes[(position + 2)...]
                guard rest.isEmpty || rest.elementsEqual("\r\n".utf8) else { throw .malformed("bytes follow its end") }
                return parts
            }
            guard end.elementsEqual("\r\n".utf8) else { throw .malformed("a boundary is followed by something else") }
            guard let next = find(delimiter, from: position) else { throw .malformed("its last boundary is missing") }
            parts.append(try part(position + 2..<next))
            position = next + delimiter.count
        }
    }

    private func part(_ range: Range<Int>) throws(FormError) -> FormPart {
        let emptyLine = Array("\r\n\r\n".utf8)
        guard let end = find(emptyLine, from: range.lowerBound), end + 4 <= range.upperBound else {
            throw .malformed("a part has no end of its headers")
        }
        let lines = String(decoding: bytes[range.lowerBound..<end], as: UTF8.self).split(separator: "\r\n")
        guard let headers = try? RequestParser.fields(lines) else { throw .malformed("a part's header has no colon") }
        let disposition = HeaderParameters(headers["content-disposition"] ?? "")
        guard disposition.value.lowercased() == "form-data", let name = disposition["name"] else {
            throw .malformed("a part has no name")
        }
        return FormPart(
            name: name, filename: disposition["filename"], contentType: headers["content-type"], headers: headers,
            bytes: Array(bytes[(end + 4)..<range.upperBound]))
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        var position = start
        while position <= bytes.count - pattern.count {
            // The first byte is searched for alone, for speed: bodies may be large.
            guard let candidate = bytes[position...].firstIndex(of: pattern[0]) else { return nil }
            if bytes[candidate...].starts(with: pattern) { return candidate }
            position = candidate + 1
        }
        return nil
    }
}
