import BackgroundWorkFoundation

/// The text that a decoder decodes, for values that read themselves from it.
struct JSONDocument: Sendable {
    static let key = CodingUserInfoKey(rawValue: "BackgroundWork.JSONDocument")

    let bytes: Data

    /// The document, or one of its members, if that is what the decoder is at; `nil` for what is further inside, and
    /// where the text is not known or is not JSON.
    ///
    /// Throws a `DecodingError` for a number that is out of range.
    static func value(at decoder: any Decoder) throws -> JSONValue? {
        guard decoder.codingPath.count <= 1, let key, let document = decoder.userInfo[key] as? JSONDocument else {
            return nil
        }
        let name = decoder.codingPath.first.map { JSONName($0.stringValue) }
        do {
            return try document.bytes.withUnsafeBytes { raw in
                let bytes = raw.bindMemory(to: UInt8.self)
                guard let name else { return try JSONValue(json: bytes) }
                guard let range = member(name, of: bytes) else { return nil }
                return try JSONValue(json: UnsafeBufferPointer(rebasing: bytes[range]))
            }
        } catch let error as JSONNumberError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description))
        } catch {
            return nil
        }
    }

    /// Where the value of the last member of this name is.
    private static func member(_ name: JSONName, of json: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var found: Range<Int>?
        let isObject: Void? = try? JSONScanner.scan(json) { scanner in
            try scanner.members { scanner, member in
                let range = try scanner.value()
                let text = JSONString.text(of: UnsafeBufferPointer(rebasing: json[member.range]))
                if JSONName(text) == name { found = range }
            }
        }
        return isObject == nil ? nil : found
    }
}
