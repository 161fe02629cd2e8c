/// A file that TLS needs, and that cannot be used.
struct UnusableTLSFile: Error, CustomStringConvertible {
    let field: String
    let reason: String

    var description: String { "\(field): \(reason)." }
}
