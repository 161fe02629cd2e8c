/// What no URL may contain, whatever reads it.
package enum URLSyntax {
    /// Whether there is no blank, control character or backslash in it. The former split a request line; URL parsers differ
    /// in what they make of them and of `\`.
    package static func isClean(_ url: String) -> Bool {
        url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
    }
}
