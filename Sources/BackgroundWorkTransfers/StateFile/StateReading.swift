import BackgroundWorkModel

/// One pass over the file's bytes: where its members stand, in the order in which they were found.
struct StateReading {
    private(set) var fields: [MemberIndex.Member] = []
    private(set) var entries: [MemberIndex.Member] = []
    private(set) var version: Int64?
    /// Names that are spelled otherwise in the file, one after the other. Their places are counted on from its end.
    private(set) var respelled: [UInt8] = []

    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: are no longer used when this returns.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        self.bytes = bytes
        var complaint: String?
        try JSONScanner.scan(bytes) { scanner in
            guard scanner.isAtObject else {
                _ = try scanner.value()
                throw StateDocument.Malformed(description: "it is not a JSON object")
            }
            try scanner.members { scanner, found in
                let name = spelled(found)
                // Of a member that is there twice the last counts, so a complaint about an earlier one is taken back.
                switch string(at: name) {
                case "entries":
                    entries = []
                    complaint = nil
                    if scanner.isAtObject {
                        try readEntries(&scanner)
                    } else if bytes[try scanner.value().lowerBound] != UInt8(ascii: "n") {
                        complaint = "\"entries\" is not a JSON object"
                    }
                case "schemaVersion":
                    version = Int64(json: UnsafeBufferPointer(rebasing: bytes[try scanner.value()]))
                default:
                    fields.append(MemberIndex.Member(name: name, value: try scanner.value()))
                }
            }
        }
        if let complaint { throw StateDocument.Malformed(description: complaint) }
    }

    private mutating func readEntries(_ scanner: inout JSONScanner) throws {
        try scanner.members { scanner, found in
            let name = spelled(found)
            entries.append(MemberIndex.Member(name: name, value: try scanner.value()))
        }
    }

    /// Where the name stands in its one spelling.
    private mutating func spelled(_ name: JSONScanner.Name) -> Range<Int> {
        guard name.hasEscapes else { return name.range }
        let start = bytes.count + respelled.count
        JSONString.append(JSONString.text(of: UnsafeBufferPointer(rebasing: bytes[name.range])), to: &respelled)
        return start..<bytes.count + respelled.count
    }

    private func string(at name: Range<Int>) -> String {
        if name.lowerBound < bytes.count { return String(decoding: bytes[name], as: UTF8.self) }
        return String(
            decoding: respelled[name.lowerBound - bytes.count..<name.upperBound - bytes.count], as: UTF8.self)
    }
}
