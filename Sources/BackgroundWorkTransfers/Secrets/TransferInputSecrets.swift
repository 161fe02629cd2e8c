import BackgroundWorkModel

/// Which parts of a stored transfer's input are secrets. Pure.
///
/// Secrets are members whose names say so (``SecretHeader``), at any depth: credentials, tokens, passwords, secret
/// headers and form fields; and of URLs, those of proxies and in headers included, the user, the password, the query and
/// the fragment, unless the query is plain (``ShownURL/hasSecrets(_:)``).
package enum TransferInputSecrets {
    /// Members of the input that name something else.
    private static let harmless: Set<String> = ["sessionIdentifier"]
    /// Members that are URLs, however they are written.
    private static let addresses: Set<String> = ["url", "mirrors", "proxy"]

    /// The input without its secrets; `nil` if it has none.
    package static func removed(from json: String) -> String? {
        guard mayHaveSome(json) else { return nil }
        guard let value = try? JSONCoding.value(JSONValue.self, from: json) else { return "null" }
        var rest = Rest()
        let left = rest.without(value)
        guard rest.hasRemoved else { return nil }
        return (try? JSONCoding.text(of: left)) ?? "null"
    }

    /// `false` for most inputs, after a short look: they say where from, where to, and little else.
    private static func mayHaveSome(_ json: String) -> Bool {
        var json = json
        return json.withUTF8 { bytes in
            // A backslash may spell any of the others.
            if bytes.contains(where: { "?#@\\".utf8.contains($0) }) { return true }
            guard let members = try? JSONObject(bytes) else { return true }
            return !members.hasOnly(
                "url", "savePath", "filePath", "sessionIdentifier", "maxBytes", "resumable", "method", "form",
                "mimeType", "group", "priority", "expectedChecksum", "checksumAlgorithm", "onDuplicate", "numChunks",
                "maxConnections", "bytesPerSecond", "timeoutMs", "resourceTimeoutMs", "earliestBeginMs",
                "isDiscretionary", "allowsCellularAccess", "fileMode")
        }
    }

    private static func isSecret(_ name: String) -> Bool { !harmless.contains(name) && SecretHeader.isSecret(name) }

    /// Walks through a document.
    private struct Rest {
        var hasRemoved = false

        mutating func without(_ value: JSONValue, isAddress: Bool = false) -> JSONValue {
            switch value {
            case .null, .bool, .integer, .unsigned, .number: return value
            case .array(let elements): return .array(elements.map { without($0, isAddress: isAddress) })
            case .string(let text):
                guard isAddress || text.firstRange(of: "://") != nil, !text.hasPrefix("/"),
                    ShownURL.hasSecrets(text)
                else { return value }
                hasRemoved = true
                return .string(ShownURL.text(text))
            case .object(let members):
                var left: [JSONName: JSONValue] = [:]
                for (name, member) in members {
                    if isSecret(name.text) {
                        if member != .null { hasRemoved = true }
                    } else {
                        left[name] = without(member, isAddress: isAddress || addresses.contains(name.text))
                    }
                }
                return .object(left)
            }
        }
    }
}
