import BackgroundWorkModel

/// What of a specification a service can carry out. What it cannot is refused before the hand-off: an option that would
/// be ignored is worse than one that is not there.
package struct TransferCapabilities: Sendable, Hashable {
    /// The service's name in messages.
    private let name: String
    private let missing: Set<TransferFeature>
    /// Whether its sessions have options of their own. Otherwise these are each transfer's.
    package let keepsSessionOptions: Bool
    /// What it does not check of a ``SecurityPolicy``, as a sentence; `nil` if it checks every address that is dialed.
    package let unchecked: String?

    /// - Parameter missing: what it cannot do.
    package init(
        name: String, missing: Set<TransferFeature>, keepsSessionOptions: Bool = false, unchecked: String? = nil
    ) {
        self.name = name
        self.missing = missing
        self.keepsSessionOptions = keepsSessionOptions
        self.unchecked = unchecked
    }

    /// Everything: the agent's.
    package static let all = TransferCapabilities(name: "the agent", missing: [])

    /// Of background URL sessions: nothing but the features named, which depend on the platform.
    package static func urlSession(
        with features: Set<TransferFeature> = [], session: BackgroundSessionOptions = .init()
    ) -> TransferCapabilities {
        let features = session.isDiscretionary ? features.union([.isDiscretionary]) : features
        return TransferCapabilities(
            name: "a URL session", missing: Set(TransferFeature.allCases).subtracting(features),
            keepsSessionOptions: true,
            unchecked:
                "the security policy is applied to the URL, and to what its host resolves to before a task is made; "
                + "the system resolves the name again when it connects (DNS rebinding is not covered), and a background "
                + "session follows redirects without asking")
    }

    /// What of a specification cannot be carried out, and what to do; `nil` if everything can.
    package func refusal(of specification: TransferSpecification) -> (field: String, reason: String)? {
        if missing.isEmpty { return nil }
        let feature = TransferFeature.allCases.first { missing.contains($0) && $0.isUsed(by: specification) }
        return feature.map { ($0.rawValue, "\(name) \($0.lack). Leave it out on this platform") }
    }
}

/// What not every service can do. The raw value is the field of the input.
package enum TransferFeature: String, Sendable, Hashable, CaseIterable {
    case proxy, bytesPerSecond, tokenRefresh
    /// Discretion of a single transfer.
    case isDiscretionary
    case pinnedPublicKeys = "tls.pinnedPublicKeys"
    case clientCertificate = "tls.clientCertificatePath"
    case additionalAuthorities = "tls.additionalAuthoritiesPath"
    case mirrors
    /// Exactly so many connections for one file; an upper bound can always be kept.
    case fixedConnections = "numChunks"
    case tus = "form"

    fileprivate func isUsed(by specification: TransferSpecification) -> Bool {
        let options = specification.options
        switch (self, specification.job) {
        case (.proxy, _): if case .url = options.proxy { return true }
        case (.bytesPerSecond, _): return options.bytesPerSecond != nil
        case (.tokenRefresh, _): return options.tokenRefresh != nil
        case (.isDiscretionary, _): return options.isDiscretionary
        case (.pinnedPublicKeys, _): return !options.tls.pinnedPublicKeys.isEmpty
        case (.clientCertificate, _): return options.tls.clientCertificatePath != nil
        case (.additionalAuthorities, _): return options.tls.additionalAuthoritiesPath != nil
        case (.mirrors, .download(let job)): return !job.mirrors.isEmpty
        case (.fixedConnections, .download(let job)):
            if case .fixed(let count) = job.connections { return count > 1 }
        case (.tus, .upload(let job)): if case .tus = job.form { return true }
        case (.mirrors, .upload), (.fixedConnections, .upload), (.tus, .download): break
        }
        return false
    }

    /// What a service without it does instead.
    fileprivate var lack: String {
        switch self {
        case .proxy: "has no proxy for a single transfer"
        case .bytesPerSecond: "has no limit of speed"
        case .tokenRefresh: "cannot fetch a new token"
        case .isDiscretionary: "is discretionary as a whole, or not at all"
        case .pinnedPublicKeys: "does not check pinned keys"
        case .clientCertificate: "has no client certificate"
        case .additionalAuthorities: "trusts the system's authorities only"
        case .mirrors: "fetches from one URL only"
        case .fixedConnections: "fetches a file over one connection"
        case .tus: "does not speak the tus protocol"
        }
    }
}
