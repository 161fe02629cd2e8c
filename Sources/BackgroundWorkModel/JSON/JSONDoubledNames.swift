/// Members of an object that a later one of the same name replaces.
///
/// RFC 8259 does not define which of them counts. Here it is the last, as in the state file and in the ancestor;
/// Foundation's decoder takes the first.
enum JSONDoubledNames {
    private struct Object {
        /// The start of each member, in their order.
        var starts: [Int] = []
        /// By name, the index of the last one.
        var members: [String: Int] = [:]
    }

    /// The text without them, of the same length; `nil` if there are none, or the text is not JSON.
    static func removed(from json: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard (try? JSONScanner.scan(json) { try $0.value() }) != nil else { return nil }
        // The containers around the current position; `nil` for an array.
        var containers: [Object?] = []
        var replaced: [Range<Int>] = []
        var position = 0
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "{"): containers.append(Object())
            case UInt8(ascii: "["): containers.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): containers.removeLast()
            case UInt8(ascii: "\""):
                let end = end(ofString: position, in: json)
                if isName(upTo: end, in: json), var object = containers.popLast() ?? nil {
                    let name = JSONString.text(of: UnsafeBufferPointer(rebasing: json[position + 1..<end - 1]))
                    object.starts.append(position)
                    if let earlier = object.members.updateValue(object.starts.count - 1, forKey: name) {
                        // Up to the next name, so including the comma.
                        replaced.append(object.starts[earlier]..<object.starts[earlier + 1])
                    }
                    containers.append(object)
                }
                position = end - 1
            default: break
            }
            position += 1
        }
        if replaced.isEmpty { return nil }
        var bytes = Array(json)
        for range in replaced { bytes.replaceSubrange(range, with: repeatElement(0x20, count: range.count)) }
        return bytes
    }

    /// The position after the closing quote.
    private static func end(ofString start: Int, in json: UnsafeBufferPointer<UInt8>) -> Int {
        var position = start + 1
        while json[position] != UInt8(ascii: "\"") { position += json[position] == UInt8(ascii: "\\") ? 2 : 1 }
        return position + 1
    }

    /// Whether the string that ends there is followed by a colon.
    private static func isName(upTo end: Int, in json: UnsafeBufferPointer<UInt8>) -> Bool {
        json[end...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d } == UInt8(ascii: ":")
    }
}
