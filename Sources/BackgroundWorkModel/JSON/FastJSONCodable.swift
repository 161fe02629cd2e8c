/// A value that is an object as JSON, and that reads it itself: many times faster than its `Decodable` conformance does
/// through a decoder, and to the same effect.
///
/// ``JSONCoding`` reads through the decoder what the value does not read itself.
package protocol HandDecodable: Decodable {
    /// - Throws: a ``JSONMismatch`` on what only the decoder can judge: an earlier version's form, or an error. What is
    ///   read is what the decoder would read.
    init(json: JSONObject) throws
}

/// A value that writes its JSON itself as well.
package protocol FastJSONCodable: HandDecodable, Encodable {
    /// Writes the value as one object, which the decoder reads as well.
    func write(to json: inout JSONWriter) throws
}
