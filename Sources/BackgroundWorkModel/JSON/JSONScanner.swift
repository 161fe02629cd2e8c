import BackgroundWorkFoundation

/// Scans a JSON text without building it, and returns where its values start and end.
///
/// It accepts what RFC 8259 calls a JSON text in UTF-8 and what can be a Swift string: no byte order mark, nothing
/// after the document, no half of a surrogate pair. Nesting is followed without recursion and rejected beyond
/// ``maximumDepth``, so no text can exhaust the stack.
package struct JSONScanner {
    /// Deeper nesting is rejected; JSONDecoder rejects it as well.
    package static let maximumDepth = 512

    /// A member's name: its range, without its quotes, and whether it contains escapes.
    package struct Name {
        package var range: Range<Int>
        package var hasEscapes: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0
    /// The closing brackets that are still expected, the next one last.
    private var closings: [UInt8] = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Scans a text that holds one value. The body takes that value: it calls ``value()`` or ``members(_:)`` once.
    ///
    /// - Throws: ``JSONSyntaxError`` when the text is not JSON, and what the body throws.
    package static func scan<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout JSONScanner) throws -> Value
    ) throws -> Value {
        var scanner = JSONScanner(bytes)
        scanner.skipSpace()
        let value = try body(&scanner)
        scanner.skipSpace()
        if scanner.position < bytes.count { try scanner.fail("unexpected text after the document") }
        return value
    }

    /// Whether an object comes next.
    package var isAtObject: Bool { current == UInt8(ascii: "{") }

    /// Scans the value that comes next, and returns its range.
    package mutating func value() throws -> Range<Int> {
        let start = position
        let outside = closings.count
        repeat {
            try beginValue()
            try endContainers(downTo: outside)
        } while closings.count > outside
        return start..<position
    }

    /// Scans the members of the object that comes next. The body takes each member's value: it calls ``value()`` or
    /// ``members(_:)`` once.
    package mutating func members(_ body: (inout JSONScanner, Name) throws -> Void) throws {
        guard isAtObject else { try fail("expected an object") }
        try entries(upTo: UInt8(ascii: "}")) { scanner in
            let name = try scanner.name()
            try body(&scanner, name)
        }
    }

    /// Scans the elements of the array that comes next. The body takes each: it calls ``value()`` or ``members(_:)`` once.
    package mutating func elements(_ body: (inout JSONScanner) throws -> Void) throws {
        guard current == UInt8(ascii: "[") else { try fail("expected an array") }
        try entries(upTo: UInt8(ascii: "]"), body)
    }

    private mutating func entries(upTo closing: UInt8, _ body: (inout JSONScanner) throws -> Void) throws {
        try open(closing)
        if current == closing { return close() }
        while true {
            try body(&self)
            skipSpace()
            if current == closing { return close() }
            guard current == UInt8(ascii: ",") else { try fail("expected a comma or the closing bracket") }
            position += 1
            skipSpace()
        }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fail(_ reason: String) throws -> Never {
        throw JSONSyntaxError(
            description: position >= bytes.count
                ? "\(reason): the text ends too early" : "\(reason) at byte \(position)")
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func open(_ closing: UInt8) throws {
        guard closings.count < Self.maximumDepth else { try fail("nested deeper than \(Self.maximumDepth) levels") }
        closings.append(closing)
        position += 1
        skipSpace()
    }

    private mutating func close() {
        closings.removeLast()
        position += 1
    }

    /// Scans a plain value, or enters containers up to the first plain value or empty container.
    private mutating func beginValue() throws {
        while true {
            switch current {
            case UInt8(ascii: "{"):
                try open(UInt8(ascii: "}"))
                if current == UInt8(ascii: "}") { return close() }
                _ = try name()
            case UInt8(ascii: "["):
                try open(UInt8(ascii: "]"))
                if current == UInt8(ascii: "]") { return close() }
            case UInt8(ascii: "\""):
                _ = try string()
                return
            case UInt8(ascii: "t"): return try literal("true")
            case UInt8(ascii: "f"): return try literal("false")
            case UInt8(ascii: "n"): return try literal("null")
            default: return try number()
            }
        }
    }

    /// After a value: scans the closing brackets, and stops before the next value if a container continues.
    private mutating func endContainers(downTo outside: Int) throws {
        while closings.count > outside, let closing = closings.last {
            skipSpace()
            if current == closing {
                close()
            } else if current == UInt8(ascii: ",") {
                position += 1
                skipSpace()
                if closing == UInt8(ascii: "}") { _ = try name() }
                return
            } else {
                try fail("expected a comma or the closing bracket")
            }
        }
    }

    /// Scans a member's name and the colon.
    private mutating func name() throws -> Name {
        guard current == UInt8(ascii: "\"") else { try fail("expected a quoted name") }
        let name = try string()
        skipSpace()
        guard current == UInt8(ascii: ":") else { try fail("expected a colon") }
        position += 1
        skipSpace()
        return name
    }

    private mutating func string() throws -> Name {
        var strings = JSONStringScanner(bytes, at: position)
        defer { position = strings.position }
        if let complaint = strings.pass() {
            position = strings.position
            try fail(complaint)
        }
        return Name(range: position + 1..<strings.position - 1, hasEscapes: strings.hasEscapes)
    }

    private mutating func literal(_ word: StaticString) throws {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { try fail("expected \(word)") }
            position += 1
        }
    }

    private mutating func digits() throws {
        guard let first = current, (0x30...0x39).contains(first) else { try fail("expected a value") }
        while let byte = current, (0x30...0x39).contains(byte) { position += 1 }
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

/// Checks that a text is one JSON document (RFC 8259) without building it.
///
/// It runs for every input that is enqueued, so it is a single pass over the bytes.
package enum JSONSyntax {
    /// What is wrong with the text, with the byte's offset; `nil` if it is a JSON document.
    package static func complaint(about text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            do {
                try JSONScanner.scan(bytes) { _ = try $0.value() }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}

/// A text is not JSON. The description says what was expected, and the byte at which it was missing.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package let description: String
}

extension JSONSyntaxError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
