/// What is offered, and agreed on, of permessage-deflate (RFC 7692, section 7.1). Pure.
struct DeflateParameters: Sendable, Hashable {
    var keepsOwnContext = true
    var keepsServerContext = true
    var ownWindowBits = 15
    var serverWindowBits = 15

    static let name = "permessage-deflate"

    /// The value of `Sec-WebSocket-Extensions` in a request.
    static func offer(_ compression: WebSocketCompression) -> String {
        var parts = [name]
        if !compression.keepsServerContext { parts.append("server_no_context_takeover") }
        if !compression.keepsOwnContext { parts.append("client_no_context_takeover") }
        if compression.serverWindowBits < 15 {
            parts.append("server_max_window_bits=\(compression.serverWindowBits)")
        }
        parts.append(
            compression.ownWindowBits < 15
                ? "client_max_window_bits=\(compression.ownWindowBits)" : "client_max_window_bits")
        return parts.joined(separator: "; ")
    }

    /// What the server agrees to; `nil` if to nothing.
    ///
    /// - Parameters:
    ///   - answer: the values of `Sec-WebSocket-Extensions` in its response, with commas between.
    ///   - offered: `nil` if nothing was.
    static func agreed(_ answer: String?, _ offered: WebSocketCompression?) throws(FrameFault) -> DeflateParameters? {
        guard let answer, !answer.isEmpty else { return nil }
        let parts = answer.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingBlanks }
        guard let offered, parts[0].lowercased() == name, !answer.contains(",") else {
            throw .violation("it uses an extension that was not offered")
        }
        var agreed = DeflateParameters()
        agreed.keepsOwnContext = offered.keepsOwnContext
        agreed.ownWindowBits = offered.ownWindowBits
        var seen: Set<String> = []
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
            let parameter = pair.first?.lowercased() ?? ""
            guard seen.insert(parameter).inserted else { throw .violation("its extension repeats a parameter") }
            let value = pair.count == 2 ? pair[1].unquoted : nil
            switch parameter {
            case "server_no_context_takeover" where value == nil: agreed.keepsServerContext = false
            case "client_no_context_takeover" where value == nil: agreed.keepsOwnContext = false
            case "server_max_window_bits":
                agreed.serverWindowBits = try bits(value)
                guard agreed.serverWindowBits <= offered.serverWindowBits else {
                    throw .violation("it wants a larger window than was offered")
                }
            case "client_max_window_bits": agreed.ownWindowBits = min(agreed.ownWindowBits, try bits(value))
            default: throw .violation("its extension has an unknown parameter")
            }
        }
        if !offered.keepsServerContext, agreed.keepsServerContext {
            throw .violation("it wants to refer to earlier messages, which was not offered")
        }
        guard seen.contains("server_max_window_bits") || offered.serverWindowBits == 15 else {
            throw .violation("it does not limit its window as was asked")
        }
        return agreed
    }

    private static func bits(_ value: String?) throws(FrameFault) -> Int {
        guard let value, let bits = Int(value), (8...15).contains(bits), String(bits) == value else {
            throw .violation("its extension has no valid number of window bits")
        }
        return bits
    }
}

extension StringProtocol {
    /// Without blanks and tabs around it.
    var trimmingBlanks: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

extension String {
    /// Without the quotation marks that a value may have.
    fileprivate var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
