import BackgroundWorkModel

/// Where a download has stopped. The work item keeps it for its next attempt, in the place of a checkpoint.
package struct ResumeToken: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case text = "resumeToken"
        case url
    }

    /// In its service's words.
    package let text: String
    /// What was downloaded: the work may have been updated since.
    package let url: String

    package init(_ text: String, of url: String) {
        self.text = text
        self.url = url
    }

    /// `nil` for another worker's checkpoint.
    package init?(json: String) {
        guard let token = try? JSONCoding.value(ResumeToken.self, from: json) else { return nil }
        self = token
    }

    package var json: String { get throws { try JSONCoding.text(of: self) } }
}
