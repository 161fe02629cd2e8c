/// How a transfer proves to the server who it is. It is sent to the URL's own origin only, never to one that a redirect
/// leads to.
public enum HTTPAuthentication: Sendable, Hashable {
    /// RFC 7617. The password is readable for whoever reads the connection, so use https.
    case basic(user: String, password: String)
    /// RFC 7616.
    case digest(user: String, password: String)
    /// RFC 6750.
    case bearer(token: String)
}

extension HTTPAuthentication: Codable {
    private enum Scheme: String, Codable { case basic, digest, bearer }
    private enum CodingKeys: String, CodingKey { case scheme, user, password, token }

    /// `{"scheme":"basic","user":…,"password":…}`, `{"scheme":"digest",…}` or `{"scheme":"bearer","token":…}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Scheme.self, forKey: .scheme) {
        case .basic:
            self = .basic(
                user: try container.decode(String.self, forKey: .user),
                password: try container.decode(String.self, forKey: .password))
        case .digest:
            self = .digest(
                user: try container.decode(String.self, forKey: .user),
                password: try container.decode(String.self, forKey: .password))
        case .bearer: self = .bearer(token: try container.decode(String.self, forKey: .token))
        }
    }

    /// See ``init(from:)``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .basic(let user, let password):
            try container.encode(Scheme.basic, forKey: .scheme)
            try container.encode(user, forKey: .user)
            try container.encode(password, forKey: .password)
        case .digest(let user, let password):
            try container.encode(Scheme.digest, forKey: .scheme)
            try container.encode(user, forKey: .user)
            try container.encode(password, forKey: .password)
        case .bearer(let token):
            try container.encode(Scheme.bearer, forKey: .scheme)
            try container.encode(token, forKey: .token)
        }
    }
}
