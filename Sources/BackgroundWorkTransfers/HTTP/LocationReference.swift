import BackgroundWorkFoundation

/// A Location header, with respect to the URL whose answer has it.
package enum LocationReference {
    /// The URL that it means; `nil` if it means none.
    package static func url(_ location: String, from base: String) -> String? {
        guard !(location + base).utf8.allSatisfy({ $0 < 0x80 }) else {
            return URL(string: location, relativeTo: URL(string: base))?.absoluteString
        }
        // Foundation would percent-encode an internationalized host, which is another one for some programs.
        guard URLSyntax.isClean(location) else { return nil }
        if !URLParts(location).scheme.isEmpty { return location }
        let parts = URLParts(base)
        let (origin, standIn) = ("\(parts.scheme)://\(parts.hostAndPort)", "\(parts.scheme)://host.invalid")
        guard let url = URL(string: location, relativeTo: URL(string: standIn + parts.path))?.absoluteString else {
            return nil
        }
        return url.hasPrefix(standIn) ? origin + url.dropFirst(standIn.count) : url
    }
}
