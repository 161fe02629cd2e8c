import BackgroundWorkTransfers

/// What a redirect's request may carry.
package enum RedirectRules {
    /// The request without the transfer's secrets when it goes to another origin; `nil` when it may not be followed.
    ///
    /// - Parameter ownOriginHeaders: fields that stay at their origin, beside those whose names speak of a secret.
    package static func request(
        _ request: URLRequest, from specification: TransferSpecification, ownOriginHeaders: Set<String> = []
    ) -> URLRequest? {
        guard let url = request.url else { return nil }
        let (source, target) = (RequestOrigin(specification.url), RequestOrigin(url.absoluteString))
        guard ["http", "https"].contains(target.scheme), !source.leavesTLS(for: target) else { return nil }
        if source == target { return request }
        var request = request
        for name in specification.options.headers.keys where SecretHeader.isSecret(name) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        for name in ownOriginHeaders { request.setValue(nil, forHTTPHeaderField: name) }
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        return request
    }

    /// The same for a task whose receiver is yet to come: what its label allows.
    static func request(_ request: URLRequest, ofTaskDescribed description: String?) -> URLRequest? {
        guard let specification = TaskLabel(description)?.specification, let url = request.url?.absoluteString,
            specification.securityPolicy.complaint(about: url) == nil
        else { return nil }
        return self.request(request, from: specification)
    }
}
