import BackgroundWorkModel

extension JSONWriter {
    /// Writes a member out of its name, as it is spelled between the quotes, and its value as JSON. Returns where they
    /// stand.
    mutating func member(_ name: [UInt8], _ value: [UInt8]) -> MemberIndex.Member {
        name.withUnsafeBufferPointer { name in value.withUnsafeBufferPointer { member(name, $0) } }
    }

    /// Copies a member out of a text. Returns where it stands now.
    mutating func member(_ text: UnsafeBufferPointer<UInt8>, _ member: MemberIndex.Member) -> MemberIndex.Member {
        self.member(UnsafeBufferPointer(rebasing: text[member.name]), UnsafeBufferPointer(rebasing: text[member.value]))
    }

    private mutating func member(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> MemberIndex.Member {
        let name = begin(name)
        let start = bytes.count
        raw(value)
        return MemberIndex.Member(name: name, value: start..<bytes.count)
    }
}
