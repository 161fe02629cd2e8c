/// Command line options: `--name value`, `--flag`.
struct Arguments {
    private var rest: [String]

    init(_ arguments: some Sequence<String>) { rest = Array(arguments) }

    /// Takes a flag out; whether it was there.
    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Takes an option and its value out. Throws ``UsageError`` when the value is missing.
    mutating func value(_ name: String) throws -> String? {
        guard let index = rest.firstIndex(of: name) else { return nil }
        guard index + 1 < rest.count else { throw UsageError(description: "\(name) needs a value") }
        let value = rest[index + 1]
        rest.removeSubrange(index...index + 1)
        return value
    }

    /// Takes an option that may be given several times out, with its values in order.
    mutating func values(_ name: String) throws -> [String] {
        var values: [String] = []
        while let value = try value(name) { values.append(value) }
        return values
    }

    /// Takes the first one out if it is no option.
    mutating func first() -> String? {
        guard let first = rest.first, !first.hasPrefix("-") else { return nil }
        return rest.removeFirst()
    }

    /// Takes out all that are no options. Call it when the options have been taken.
    mutating func operands() -> [String] {
        defer { rest.removeAll { !$0.hasPrefix("-") } }
        return rest.filter { !$0.hasPrefix("-") }
    }

    /// Throws ``UsageError`` if something was not understood.
    func finish() throws {
        if let unknown = rest.first { throw UsageError(description: "\"\(unknown)\" is not understood here") }
    }
}

/// The command line is wrong.
struct UsageError: Error, CustomStringConvertible {
    var description: String
}
