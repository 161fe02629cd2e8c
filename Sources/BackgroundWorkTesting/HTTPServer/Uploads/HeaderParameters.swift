/// The parameters of a header's value: `form-data; name="a"; filename="b"`.
struct HeaderParameters {
    /// The text before the first semicolon.
    let value: String
    private var parameters: [String: String] = [:]

    init(_ header: String) {
        let rest = Self.pieces(of: header, separator: ";")
        value = rest.first ?? ""
        read(rest.dropFirst())
    }

    /// The parameters of a header whose parameters follow its first word and are separated by commas.
    init(list header: Substring) {
        value = ""
        read(Self.pieces(of: String(header), separator: ",")[...])
    }

    subscript(_ name: String) -> String? { parameters[name] }

    private mutating func read(_ pieces: ArraySlice<String>) {
        for piece in pieces {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            var value = Self.trimmed(piece[piece.index(after: equals)...])
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = Self.unescaped(value.dropFirst().dropLast())
            }
            parameters[Self.trimmed(piece[..<equals]).lowercased()] = value
        }
    }

    /// Splits at separators outside of quotes.
    private static func pieces(of text: String, separator: Character) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == separator, !isQuoted {
                pieces.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            pieces[pieces.count - 1].append(character)
        }
        return pieces.map { trimmed($0[...]) }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            result.append(character)
            isEscaped = false
        }
        return result
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
