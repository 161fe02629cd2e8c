/// Checks that a text is one JSON document (RFC 8259) without building it.
///
/// It runs for every input that is enqueued, so it is a single pass over the bytes.
package enum JSONSyntax {
    /// What is wrong with the text, with the byte's offset; `nil` if it is a JSON document.
    package static func complaint(about text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            do {
                try JSONScanner.scan(bytes) { _ = try $0.value() }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}
