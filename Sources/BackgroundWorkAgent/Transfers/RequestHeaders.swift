import BackgroundWorkTransfers

/// The header lines of a download's request. Those that say how much is wanted are this program's alone.
struct RequestHeaders: Sendable {
    let lines: [String]

    init(_ specification: TransferSpecification, offset: Int64, validator: String?) {
        let own: Set<String> = ["range", "if-range", "accept-encoding"]
        var lines = specification.headers.filter { !own.contains($0.key.lowercased()) }.sorted { $0.key < $1.key }
            // libcurl takes "Name:" for the wish to leave a header out, and "Name;" for an empty one.
            .map { $0.value.isEmpty ? "\($0.key);" : "\($0.key): \($0.value)" }
        if !specification.headers.keys.contains(where: { $0.lowercased() == "user-agent" }) {
            lines.append("User-Agent: BackgroundWork/1")
        }
        // Ranges and lengths are those of the bytes as they are stored.
        lines.append("Accept-Encoding: identity")
        if offset > 0, let validator {
            lines.append("Range: bytes=\(offset)-")
            lines.append("If-Range: \(validator)")
        }
        self.lines = lines
    }

    /// What keeps the headers from being sent, in words; `nil` if nothing does.
    static func complaint(about specification: TransferSpecification) -> String? {
        for (name, value) in specification.headers {
            if (name + value).utf8.contains(where: { $0 == 0x0d || $0 == 0x0a || $0 == 0 }) {
                return "the header \"\(name.printable)\" has a line break or NUL in it."
            }
        }
        return nil
    }
}
