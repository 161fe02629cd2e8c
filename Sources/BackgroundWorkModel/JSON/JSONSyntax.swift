/// Checks that a text is one JSON document (RFC 8259) without building it.
///
/// It runs for every input that is enqueued, so it is a single pass over the bytes with constant memory.
package struct JSONSyntax {
    private struct Complaint: Error { var text: String }

    /// Deeper nesting is refused; JSONDecoder refuses it as well.
    private static let maximumDepth = 512

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// What is wrong with the text, with the byte's offset; `nil` if it is a JSON document.
    package static func complaint(about text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            var scanner = JSONSyntax(bytes)
            do {
                try scanner.skipSpace()
                try scanner.value()
                try scanner.skipSpace()
                if scanner.position < bytes.count { try scanner.fail("unexpected text after the document") }
                return nil
            } catch {
                return (error as? Complaint)?.text ?? "\(error)"
            }
        }
    }

    private func fail(_ reason: String) throws -> Never {
        throw Complaint(
            text: position >= bytes.count ? "\(reason): the text ends too early" : "\(reason) at byte \(position)")
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() throws {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func value() throws {
        switch current {
        case UInt8(ascii: "{"): try container(closing: UInt8(ascii: "}"), keyed: true)
        case UInt8(ascii: "["): try container(closing: UInt8(ascii: "]"), keyed: false)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    private mutating func container(closing: UInt8, keyed: Bool) throws {
        depth += 1
        guard depth <= Self.maximumDepth else { try fail("nested deeper than \(Self.maximumDepth) levels") }
        position += 1
        try skipSpace()
        if current == closing {
            position += 1
            depth -= 1
            return
        }
        while true {
            if keyed {
                guard current == UInt8(ascii: "\"") else { try fail("expected a quoted name") }
                try string()
                try skipSpace()
                guard current == UInt8(ascii: ":") else { try fail("expected a colon") }
                position += 1
                try skipSpace()
            }
            try value()
            try skipSpace()
            if current == UInt8(ascii: ",") {
                position += 1
                try skipSpace()
            } else if current == closing {
                position += 1
                depth -= 1
                return
            } else {
                try fail("expected a comma or the closing bracket")
            }
        }
    }

    private mutating func string() throws {
        position += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                position += 1
                try escape()
            case 0..<0x20: try fail("unescaped control character in a string")
            default: position += 1
            }
        }
        try fail("unterminated string")
    }

    private mutating func escape() throws {
        guard let byte = current else { try fail("unterminated escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = current, isHexDigit(digit) else { try fail("expected four hexadecimal digits") }
                position += 1
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        default: try fail("unknown escape")
        }
    }

    private func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private mutating func literal(_ word: StaticString) throws {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { try fail("expected \(word)") }
            position += 1
        }
    }

    private mutating func digits() throws {
        guard let first = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            try fail("expected a value")
        }
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    }

    private mutating func number() throws {
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
    }
}
