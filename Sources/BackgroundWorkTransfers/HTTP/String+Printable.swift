extension String {
    /// Without control characters and those that break or reorder a line, so that external text cannot forge lines of a
    /// log or of a message.
    package var printable: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7f }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { Self.changesLine($0) ? "?" : $0 }))
    }

    /// The same, cut to at most so many bytes and `…`. It is cut between two words, and a longer word is left out: a part
    /// of a secret would not be recognized as one.
    package func printable(atMost bytes: Int) -> String {
        guard utf8.count > bytes else { return printable }
        var words: [Substring] = []
        var used = 0
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            used += word.utf8.count + 1
            if used > bytes + 1 { break }
            words.append(word)
        }
        return (words.joined(separator: " ") + "…").printable
    }

    private static func changesLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls of C0 and C1, and the separators of lines and paragraphs.
        case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029: true
        // Directions of writing.
        case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    /// Its beginning, with a mark if something was cut, and without control characters.
    ///
    /// - Parameter limit: the most bytes, without the mark.
    package func shown(upTo limit: Int) -> String {
        guard utf8.count > limit else { return printable }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        return String(self[..<end]).printable + "…"
    }
}
