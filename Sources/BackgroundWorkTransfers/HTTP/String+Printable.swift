extension String {
    /// Without control characters, so that external text cannot forge lines of a log or of a message.
    package var printable: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : $0 }))
    }
}
