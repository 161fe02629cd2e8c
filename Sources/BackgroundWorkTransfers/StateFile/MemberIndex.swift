import BackgroundWorkModel

/// Where the members of one JSON object stand in a text: each name once, in the order of their bytes.
///
/// Names are spelled as ``JSONString/append(_:to:)`` does, so that comparing bytes compares names.
struct MemberIndex: Sendable {
    struct Member: Sendable {
        /// Without the quotes.
        var name: Range<Int>
        var value: Range<Int>
    }

    private(set) var members: [Member] = []

    /// - Parameter members: in the order in which they were found; of equal names the last counts.
    init(_ members: [Member], in text: UnsafeBufferPointer<UInt8>) {
        self.members = members
        let isInOrder = members.indices.dropFirst().allSatisfy {
            Self.compare(text[members[$0 - 1].name], text[members[$0].name]) < 0
        }
        guard !isInOrder else { return }
        self.members.sort {
            let order = Self.compare(text[$0.name], text[$1.name])
            return order < 0 || order == 0 && $0.value.lowerBound < $1.value.lowerBound
        }
        var last = 0
        for next in self.members.indices.dropFirst() {
            let repeats = Self.compare(text[self.members[last].name], text[self.members[next].name]) == 0
            if !repeats { last += 1 }
            self.members[last] = self.members[next]
        }
        self.members.removeSubrange((last + 1)...)
    }

    /// - Parameter members: in order, each name once.
    init(ordered members: [Member] = []) { self.members = members }

    func value(named name: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let position = position(of: name, in: text)
        guard position < members.count, name.withUnsafeBufferPointer({ compare(position, $0, in: text) }) == 0 else {
            return nil
        }
        return members[position].value
    }

    /// How many names come before this one.
    func position(of name: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Int {
        name.withUnsafeBufferPointer { name in
            var (low, high) = (0, members.count)
            while low < high {
                let middle = (low + high) / 2
                if compare(middle, name, in: text) < 0 { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private func compare(
        _ position: Int, _ name: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
    ) -> Int {
        Self.compare(text[members[position].name], name[...])
    }

    static func compare(_ one: Slice<UnsafeBufferPointer<UInt8>>, _ other: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        UnsafeBufferPointer(rebasing: one).order(before: UnsafeBufferPointer(rebasing: other))
    }
}

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
