/// The frame of a `multipart/form-data` body around one file (RFC 7578). Pure.
package struct MultipartForm: Sendable, Hashable {
    /// What goes before the file's bytes: the fields, and the head of its part.
    package let head: [UInt8]
    /// What goes after them.
    package let tail: [UInt8]
    package let contentType: String

    /// - Parameter boundary: Random, so that it does not occur in the file.
    package init(
        boundary: String, fieldName: String, fileName: String, mimeType: String?, fields: [String: String]
    ) {
        var text = ""
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\"\r\n\r\n\(value)\r\n"
        }
        text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(fieldName))\"; "
        text += "filename=\"\(Self.quoted(fileName))\"\r\n"
        text += "Content-Type: \(mimeType ?? "application/octet-stream")\r\n\r\n"
        head = Array(text.utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
        contentType = "multipart/form-data; boundary=\(boundary)"
    }

    /// As browsers write names: characters that would end the quoted string or the line are percent-encoded
    /// (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
    private static func quoted(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
