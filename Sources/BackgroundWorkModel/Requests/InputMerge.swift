import BackgroundWorkFoundation

/// How the outputs of the previous step are merged into a request's input, key by key.
///
/// Input and outputs must be JSON objects then; a request without input starts with an empty one.
public enum InputMerge: String, Sendable, Hashable, Codable, CaseIterable {
    /// A key takes the value of the last output that has it; the request's own value is only the default.
    case overwrite
    /// A key takes the list of all its values: the request's own first, then those of the outputs in their order.
    case collect

    /// The input with the outputs merged in. Throws ``InputMergeError`` when one of them is not a JSON object.
    package func merged(input: String?, outputs: [String]) throws -> String {
        var result = try input.map { try Self.members(of: $0, part: .input) } ?? [:]
        if self == .collect { result = result.mapValues { .array([$0]) } }
        for (index, output) in outputs.enumerated() {
            for (key, value) in try Self.members(of: output, part: .output(index)) {
                switch (self, result[key]) {
                case (.collect, .array(let values)): result[key] = .array(values + [value])
                case (.collect, _): result[key] = .array([value])
                case (.overwrite, _): result[key] = value
                }
            }
        }
        return try JSONCoding.text(of: JSONValue.object(result))
    }

    private static func members(of text: String, part: InputMergeError.Part) throws -> [JSONName: JSONValue] {
        guard let value = try? JSONCoding.value(JSONValue.self, from: text), let members = value.members
        else { throw InputMergeError(part: part) }
        return members
    }
}

/// Inputs that were to be merged by key are not all JSON objects.
package struct InputMergeError: Error, Hashable, CustomStringConvertible {
    package enum Part: Sendable, Hashable {
        case input
        /// Counted from 0, in the order of the step's requests.
        case output(Int)
    }

    package var part: Part

    package var description: String {
        let part =
            switch part {
            case .input: "its own input"
            case .output(let index): "output \(index) of the previous step"
            }
        return "the inputs cannot be merged, since \(part) is not a JSON object; leave inputMerge out, or give objects"
    }
}

extension InputMergeError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
