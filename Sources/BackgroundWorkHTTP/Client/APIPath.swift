import BackgroundWorkTransfers

/// A path below the base URL of an ``APIClient``. It is plain text: what has to be percent-encoded is encoded.
///
/// ```swift
/// try await client.delete("users/\(name)/photos/\(number)")
/// ```
///
/// What is interpolated stays one segment, whatever it contains: a slash in `name` becomes `%2F`. So no data can lead to
/// another path or host. A path with an empty interpolation, or with a segment `.` or `..`, is refused when the request
/// is made.
public struct APIPath: Sendable, Hashable {
    /// Percent-encoded, without a slash before it, unless that is all.
    let encoded: String
    /// Why it cannot be used; `nil` if it can.
    let problem: String?

    /// A path from text with slashes between its segments.
    public init(_ text: String) { self.init(encoded: PercentEncoding.path(text), problem: nil) }

    private init(encoded: String, problem: String?) {
        // A slash alone stands for the base with a slash at its end.
        self.encoded = String(encoded.hasPrefix("/") && encoded != "/" ? encoded.dropFirst() : encoded[...])
        // Dots are never encoded, so all of them are seen. Whoever resolves the URL would take them for a step up.
        let hasDots = encoded.split(separator: "/").contains { $0 == "." || $0 == ".." }
        self.problem = problem ?? (hasDots ? "its path has a segment . or .." : nil)
    }
}

extension APIPath: ExpressibleByStringInterpolation {
    /// Slashes separate segments.
    public init(stringLiteral value: String) {
        var path = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        path.appendLiteral(value)
        self.init(stringInterpolation: path)
    }

    /// Each value becomes a segment, or a part of one.
    public init(stringInterpolation: StringInterpolation) {
        self.init(encoded: stringInterpolation.encoded, problem: stringInterpolation.problem)
    }

    /// Builds a path from a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var encoded = ""
        fileprivate var problem: String?

        /// Begins with an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) { encoded.reserveCapacity(literalCapacity) }

        /// Adds text in which slashes separate segments. A query does not belong into it.
        public mutating func appendLiteral(_ literal: String) {
            if literal.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
                problem = "its path contains ? or #, which the parameter query is for"
            }
            encoded += PercentEncoding.path(literal)
        }

        /// Adds a value within a segment.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let text = value.description
            if text.isEmpty { problem = "a value in its path is empty" }
            encoded += PercentEncoding.component(text)
        }
    }
}

extension APIPath: CustomStringConvertible {
    /// As it stands in the URL.
    public var description: String { encoded }
}
