import BackgroundWorkModel

/// Where a download has stopped, as the work item keeps it for its next attempt: in the place of a checkpoint.
struct ResumeToken: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case text = "resumeToken"
        case url
    }

    let text: String
    /// What was downloaded: the work may have been updated since.
    let url: String

    init(_ text: String, of url: String) {
        self.text = text
        self.url = url
    }

    /// `nil` for another worker's checkpoint.
    init?(json: String) {
        guard let token = try? JSONCoding.value(ResumeToken.self, from: json) else { return nil }
        self = token
    }

    var json: String { get throws { try JSONCoding.text(of: self) } }
}
