/// A file that TLS needs, and that cannot be used.
package struct UnusableTLSFile: Error, CustomStringConvertible {
    let field: String
    let reason: String

    package var description: String { "\(field): \(reason)." }
}
