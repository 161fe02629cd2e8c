/// The name under which a server's file is saved when only its folder was said: what `Content-Disposition` suggests
/// (RFC 6266), or the end of the URL, made safe. The server must never decide in which folder the file is saved.
package enum SuggestedFileName {
    /// What a file system takes, in bytes of UTF-8.
    static let maximumBytes = 255
    private static let fallback = "download"

    /// A name that is one path component, is not hidden, and is not empty.
    ///
    /// - Parameters:
    ///   - contentDisposition: the value of the response's header, if it had one.
    ///   - url: the URL that the file came from in the end.
    ///   - secrets: of the transfer. A name that repeats one is not taken.
    package static func name(contentDisposition: String?, url: String, without secrets: KnownSecrets? = nil) -> String {
        func isFree(_ text: String) -> Bool { !(secrets?.occur(in: text) ?? false) }
        // The whole header as well: what is safe of a name may be a part of a secret.
        if let value = contentDisposition, isFree(value), let suggestion = ContentDisposition(value).fileName,
            isFree(suggestion)
        {
            let name = safe(suggestion)
            if !name.isEmpty, isFree(name) { return name }
        }
        let name = isFree(ShownURL.text(url)) ? safe(lastComponent(of: url)) : ""
        return name.isEmpty ? fallback : name
    }

    private static func lastComponent(of url: String) -> String {
        let path = URLParts(url).path
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        let component = String(path[path.utf8.index(after: slash)...])
        return PercentEncoding.decoded(component).flatMap { String(validating: $0, as: UTF8.self) } ?? component
    }

    /// Keeps of a name what is harmless in any folder; may be empty.
    static func safe(_ name: String) -> String {
        // Either slash: the file may be taken to a system where the other one separates.
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        var scalars = String.UnicodeScalarView(last.filter(isHarmless))
        while let first = scalars.first, first == "." || first.properties.isWhitespace { scalars.removeFirst() }
        while let end = scalars.last, end.properties.isWhitespace { scalars.removeLast() }
        return shortened(String(scalars))
    }

    /// Control characters can steer a terminal, and those of direction make `exe.txt` of what ends in `txt.exe`.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default:
            switch scalar.value {
            case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfeff: false
            default: true
            }
        }
    }

    /// Cuts in front of the extension, and never through a character.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumBytes else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        // A longer "extension" is not an extension.
        let keeps = name[dot...].utf8.count <= 32
        let ending = keeps ? name[dot...] : ""
        var stem = keeps ? name[..<dot] : name[...]
        while stem.utf8.count + ending.utf8.count > maximumBytes { stem.removeLast() }
        return String(stem + ending)
    }
}
