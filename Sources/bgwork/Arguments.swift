/// Command line options: `--name value`, `--flag`.
struct Arguments {
    private var rest: [String]

    init(_ arguments: some Sequence<String>) { rest = Array(arguments) }

    /// Removes a flag; returns whether it was given.
    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Removes an option and returns its value. Throws ``UsageError`` when the value is missing.
    mutating func value(_ name: String) throws -> String? {
        guard let index = rest.firstIndex(of: name) else { return nil }
        guard index + 1 < rest.count else { throw UsageError(description: "\(name) needs a value") }
        let value = rest[index + 1]
        rest.removeSubrange(index...index + 1)
        return value
    }

    /// Removes an option that may be given several times, and returns its values in order.
    mutating func values(_ name: String) throws -> [String] {
        var values: [String] = []
        while let value = try value(name) { values.append(value) }
        return values
    }

    /// Removes and returns the first argument if it is not an option.
    mutating func first() -> String? {
        guard let first = rest.first, !first.hasPrefix("-") else { return nil }
        return rest.removeFirst()
    }

    /// Removes and returns all arguments that are not options. To be called after the options were removed.
    mutating func operands() -> [String] {
        defer { rest.removeAll { !$0.hasPrefix("-") } }
        return rest.filter { !$0.hasPrefix("-") }
    }

    /// Throws ``UsageError`` if an argument was not recognized.
    func finish() throws {
        // What follows the name of an option may be a secret.
        if let unknown = rest.first?.prefix(while: { $0 != "=" && $0 != ":" }) {
            throw UsageError(description: "unexpected argument \"\(unknown)\"")
        }
    }
}

/// The command line is wrong.
struct UsageError: Error, CustomStringConvertible {
    var description: String
}
