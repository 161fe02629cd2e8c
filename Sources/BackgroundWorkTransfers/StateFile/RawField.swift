import BackgroundWorkModel

/// A field of an entry, its value as JSON.
struct RawField: Sendable, Hashable {
    /// The name as it is spelled between the quotes of a JSON string.
    var name: [UInt8]
    var value: [UInt8]

    init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }

    init(_ name: String, integer: Int64) { self.init(name: Array(name.utf8), value: Array("\(integer)".utf8)) }

    init(_ name: String, text: String) {
        self.init(name: Array(name.utf8), value: [UInt8(ascii: "\"")])
        JSONString.append(text, to: &value)
        value.append(UInt8(ascii: "\""))
    }
}
