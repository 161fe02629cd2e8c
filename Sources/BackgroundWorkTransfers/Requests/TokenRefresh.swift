/// Where a new bearer token comes from when the server answers 401: one request, whose answer is JSON. The transfer is
/// then tried once more with that token; a second 401 fails it.
public struct TokenRefresh: Sendable, Hashable, Codable {
    /// The token endpoint's URL.
    public var url: String
    /// `POST` unless said otherwise.
    public var method: String
    /// The headers of the refresh request.
    public var headers: [String: String]
    /// Its body, as it is sent.
    public var body: String?
    /// Where the token stands in the answer: member names with dots between, such as `data.access_token`.
    public var tokenPath: String

    /// Creates the request; the token is taken from `tokenPath` of its answer.
    public init(
        url: String, method: String = "POST", headers: [String: String] = [:], body: String? = nil,
        tokenPath: String = "access_token"
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.tokenPath = tokenPath
    }

    /// Everything but `url` may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            url: try container.decode(String.self, forKey: .url),
            method: try container.decodeIfPresent(String.self, forKey: .method) ?? "POST",
            headers: try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:],
            body: try container.decodeIfPresent(String.self, forKey: .body),
            tokenPath: try container.decodeIfPresent(String.self, forKey: .tokenPath) ?? "access_token")
    }
}
