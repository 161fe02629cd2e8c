/// What happens when a file stands where a download is to be saved.
public enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable, Codable {
    /// The file is replaced, in one rename, once the new one is complete.
    case overwrite = "OVERWRITE"
    /// The new file is saved as `name_1.ext`, `name_2.ext`, … whichever is free first.
    case rename = "RENAME"
    /// The file stays. Nothing is fetched if it stands there when the transfer would be handed off; the download
    /// succeeds, and says so.
    case skip = "SKIP"

    /// Reads a name in any case. Throws a `DecodingError` for another.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let policy = DuplicatePolicy(rawValue: name.uppercased()) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(name)\" is none of OVERWRITE, RENAME and SKIP")
        }
        self = policy
    }
}
