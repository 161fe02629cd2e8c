import BackgroundWorkModel

/// What of a specification a service can carry out. What it cannot is refused before the hand-off: an option that would
/// be ignored is worse than one that is not there.
package struct TransferCapabilities: Sendable, Hashable {
    /// Other URLs of the same file.
    package var mirrors = true
    /// Exactly so many connections for one file; an upper bound can always be kept.
    package var fixedConnections = true
    package var tus = true
    package var byteRates = true
    /// A proxy of its own for each transfer.
    package var proxies = true
    package var tokenRefresh = true
    package var pinnedKeys = true
    package var clientCertificates = true
    package var additionalAuthorities = true
    /// Discretion as a property of one transfer.
    package var discretion = true
    /// The service's name in messages.
    package var name = "this platform's service"

    package init() {}

    /// Everything: the agent's.
    package static let all = TransferCapabilities()

    /// Of background URL sessions.
    package static let urlSession: TransferCapabilities = {
        var some = TransferCapabilities()
        some.name = "a URL session"
        some.mirrors = false
        some.fixedConnections = false
        some.tus = false
        some.byteRates = false
        some.proxies = false
        some.tokenRefresh = false
        some.pinnedKeys = false
        some.clientCertificates = false
        some.additionalAuthorities = false
        some.discretion = false
        return some
    }()

    /// What of a specification cannot be carried out, and what to do; `nil` if everything can.
    package func refusal(of specification: TransferSpecification) -> (field: String, reason: String)? {
        let options = specification.options
        if case .url = options.proxy, !proxies { return refused("proxy", "has no proxy for a single transfer") }
        if options.bytesPerSecond != nil, !byteRates { return refused("bytesPerSecond", "has no limit of speed") }
        if options.tokenRefresh != nil, !tokenRefresh { return refused("tokenRefresh", "cannot fetch a new token") }
        if options.isDiscretionary, !discretion {
            return refused("isDiscretionary", "is discretionary as a whole, or not at all")
        }
        if !options.tls.pinnedPublicKeys.isEmpty, !pinnedKeys {
            return refused("tls.pinnedPublicKeys", "does not check pinned keys")
        }
        if options.tls.clientCertificatePath != nil, !clientCertificates {
            return refused("tls.clientCertificatePath", "has no client certificate")
        }
        if options.tls.additionalAuthoritiesPath != nil, !additionalAuthorities {
            return refused("tls.additionalAuthoritiesPath", "trusts the system's authorities only")
        }
        switch specification.job {
        case .download(let job):
            if !job.mirrors.isEmpty, !mirrors { return refused("mirrors", "fetches from one URL only") }
            if case .fixed(let count) = job.connections, count > 1, !fixedConnections {
                return refused("numChunks", "fetches a file over one connection")
            }
        case .upload(let job):
            if case .tus = job.form, !tus { return refused("form", "does not speak the tus protocol") }
        }
        return nil
    }

    private func refused(_ field: String, _ what: String) -> (field: String, reason: String) {
        (field, "\(name) \(what). Leave it out on this platform")
    }
}
