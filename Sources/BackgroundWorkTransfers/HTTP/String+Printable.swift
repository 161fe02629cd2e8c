extension String {
    /// Without control characters, so that external text cannot forge lines of a log or of a message.
    package var printable: String {
        // 0xc2 begins those above ASCII.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { Self.isControl($0) ? "?" : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
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
