extension KeyedDecodingContainer {
    /// Decodes an object of texts; `nil` if it is absent or null.
    ///
    /// Throws a `DecodingError` also for two names that differ only in how their characters are composed: a dictionary
    /// would have one of them.
    package func texts(forKey key: Key) throws -> [String: String]? {
        if let members = try? decodeIfPresent(JSONValue.self, forKey: key)?.members {
            let names = Set(members.keys.map(\.text))
            guard names.count == members.count else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: self,
                    debugDescription: "two of its names differ only in how their characters are composed; rename one")
            }
        }
        return try decodeIfPresent([String: String].self, forKey: key)
    }
}
