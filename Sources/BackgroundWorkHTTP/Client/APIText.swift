import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// Text of a server, in a form that can neither forge lines of a log nor fill it.
package enum APIText {
    /// The beginning of a body that should be text.
    package static func excerpt(of body: Data, limit: Int) -> String {
        let piece = body.prefix(max(0, limit))
        var text = String(decoding: piece, as: UTF8.self)
        // A character that was cut.
        if piece.count < body.count, text.last == "\u{fffd}" { text.removeLast() }
        return clean(text)
    }

    /// At most so many bytes in UTF-8.
    package static func line(_ text: String, limit: Int) -> String {
        cut(clean(text), limit: limit)
    }

    /// At most so many bytes in UTF-8, without secrets of the request. They are looked for before the text is cut, and
    /// after what could hide one was removed.
    package static func line(_ text: String, without secrets: KnownSecrets, limit: Int) -> String {
        cut(secrets.hidden(in: clean(text)), limit: limit)
    }

    private static func cut(_ text: String, limit: Int) -> String {
        text.utf8.count <= limit ? text : excerpt(of: Data(text.utf8), limit: limit) + "…"
    }

    static func requestID(_ response: HTTPResponse, _ request: HTTPRequest, _ secrets: KnownSecrets) -> String? {
        let id = response.headers.values(of: APIClient.requestIDName).first { !$0.isEmpty }
        return (id ?? request.headers[APIClient.requestIDName]).map { line($0, without: secrets, limit: 128) }
    }

    /// Control characters include those of C1, and those of formatting, which could reorder a line.
    private static func clean(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: scalars.append(" ")
            case .control: if "\t\n\r".unicodeScalars.contains(scalar) { scalars.append(" ") }
            case .format: continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
