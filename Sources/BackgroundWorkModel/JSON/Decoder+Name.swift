extension Decoder {
    /// Decodes a value that is written as one of several names. Throws a `DecodingError` that lists them when `make` does not
    /// know the name.
    ///
    /// - Parameter names: as a sentence lists them.
    package func value<Value>(namedOneOf names: String, _ make: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let name = try container.decode(String.self)
        guard let value = make(name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(name.prefix(40))\" is none of \(names)")
        }
        return value
    }
}
