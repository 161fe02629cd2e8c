extension HTTPAuthentication: CustomStringConvertible, CustomReflectable {
    /// The scheme, without the credentials.
    public var description: String {
        switch self {
        case .basic: "basic(…)"
        case .digest: "digest(…)"
        case .bearer: "bearer(…)"
        }
    }

    /// Without the credentials.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension TokenRefresh: CustomReflectable {
    /// Without the secrets of its URL and headers, and without its body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "method": method, "headers": ShownParts.members(headers),
                "body": body.map { _ in ShownParts.hidden } as Any, "tokenPath": tokenPath,
            ], displayStyle: .struct)
    }
}

extension TLSOptions: CustomReflectable {
    /// Without the password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "clientCertificatePath": clientCertificatePath as Any, "clientKeyPath": clientKeyPath as Any,
                "clientKeyPassword": clientKeyPassword.map { _ in ShownParts.hidden } as Any,
                "additionalAuthoritiesPath": additionalAuthoritiesPath as Any, "pinnedPublicKeys": pinnedPublicKeys,
            ], displayStyle: .struct)
    }
}

extension ProxyChoice: CustomStringConvertible, CustomReflectable {
    /// The choice; of a URL without user and password.
    public var description: String {
        if case .url(let url) = self { "url(\(ShownURL.text(url)))" } else { text }
    }

    /// As ``description``.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension [String: String] {
    /// Fields of a form with the values of secret ones hidden.
    package var shownFormFields: [String: String] { ShownParts.members(self) }
}

extension TransferOptions {
    /// Its headers without the values of secret ones.
    package var shownHeaders: [String: String] { ShownParts.members(headers) }
}

extension TransferOptions: CustomReflectable {
    /// Without credentials, and without the values of secret headers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "headers": shownHeaders, "isDiscretionary": isDiscretionary,
                "allowsCellularAccess": allowsCellularAccess, "stallTimeout": stallTimeout,
                "resourceTimeout": resourceTimeout, "earliestBegin": earliestBegin as Any, "priority": priority,
                "bytesPerSecond": bytesPerSecond as Any, "group": group as Any, "retry": retry, "proxy": proxy,
                "authentication": authentication as Any, "tokenRefresh": tokenRefresh as Any, "tls": tls,
            ], displayStyle: .struct)
    }
}
