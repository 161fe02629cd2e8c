/// Writes JSON objects out of names and values that are JSON already, and says where it put them.
struct MemberWriter {
    private(set) var text: [UInt8] = []

    init(capacity: Int) { text.reserveCapacity(capacity) }

    mutating func open() { text.append(UInt8(ascii: "{")) }

    mutating func close() { text.append(UInt8(ascii: "}")) }

    /// Begins a member, whose value comes next.
    ///
    /// - Parameter name: as it is spelled between the quotes of a JSON string.
    @discardableResult
    mutating func begin(_ name: some Collection<UInt8>) -> Range<Int> {
        // No value ends with this bracket.
        if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        let start = text.count
        text.append(contentsOf: name)
        let range = start..<text.count
        text.append(UInt8(ascii: "\""))
        text.append(UInt8(ascii: ":"))
        return range
    }

    mutating func member(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) -> MemberIndex.Member {
        let name = begin(name)
        let start = text.count
        text.append(contentsOf: value)
        return MemberIndex.Member(name: name, value: start..<text.count)
    }
}
