import BackgroundWorkFoundation

extension DecodingError {
    /// Which field is wrong and how, without Swift's type names.
    package func inWords(of json: String) -> String {
        func path(_ context: Context, _ more: [any CodingKey] = []) -> String {
            let path = (context.codingPath + more).inWords
            return path.isEmpty ? "the document" : "\"\(path)\""
        }
        switch self {
        case .keyNotFound(let key, let context): return "the field \(path(context, [key])) is missing"
        case .valueNotFound(_, let context): return "\(path(context)) is null but must have a value"
        case .typeMismatch(let type, let context): return "\(path(context)) is not \(Self.words(for: type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // A number that is not whole, or too large, where an integer must be: Foundation says neither which nor
            // where.
            let suspects = (try? JSONCoding.value(JSONValue.self, from: json))?.oddNumbers() ?? []
            guard !suspects.isEmpty else { return "\(path(context)): \(context.debugDescription)" }
            return suspects.map { "\"\($0)\"" }.joined(separator: ", ") + ": not a whole number that is in range"
        case .dataCorrupted(let context): return "\(path(context)): \(context.debugDescription)"
        @unknown default: return "\(self)"
        }
    }

    private static func words(for type: any Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Dictionary<") { return "an object" }
        if name.hasPrefix("Array<") { return "an array" }
        return "of the type \(name)"
    }
}

extension [any CodingKey] {
    /// Such as `list[1].id`.
    fileprivate var inWords: String {
        reduce("") { path, key in
            // As Foundation calls the elements of an array.
            if let index = key.intValue, key.stringValue == "Index \(index)" { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }
}

extension JSONValue {
    /// So many are named.
    private static let mostOddNumbers = 10

    /// The paths of the first of the document's numbers that are not 64-bit integers.
    fileprivate func oddNumbers() -> [String] {
        var (path, found): ([String], [String]) = ([], [])
        findOddNumbers(at: &path, &found)
        return found
    }

    private func findOddNumbers(at path: inout [String], _ found: inout [String]) {
        guard found.count < Self.mostOddNumbers else { return }
        func visit(_ component: String, _ value: JSONValue) {
            path.append(component)
            value.findOddNumbers(at: &path, &found)
            path.removeLast()
        }
        switch self {
        case .number(let number) where Int64(exactly: number) != nil: break
        case .number, .unsigned:
            let text = path.joined()
            found.append(text.hasPrefix(".") ? String(text.dropFirst()) : text)
        case .object(let members):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { visit(".\(name.text)", value) }
        case .array(let elements):
            for (index, value) in elements.enumerated() { visit("[\(index)]", value) }
        case .null, .bool, .integer, .string: break
        }
    }
}

extension EncodingError {
    /// Which field could not be written and why, without Swift's type names.
    package var inWords: String {
        switch self {
        case .invalidValue(_, let context):
            let path = context.codingPath.inWords
            return path.isEmpty ? context.debugDescription : "\"\(path)\": \(context.debugDescription)"
        @unknown default: return "\(self)"
        }
    }
}
