import BackgroundWorkModel
import BackgroundWorkTransfers

/// Judges where a transfer leads, right before its task is made.
///
/// A session does not tell which address it is about to dial, and resolves the name itself: a name that resolves to
/// another address then (DNS rebinding) is not noticed, nor is a redirect that a background session follows.
package struct DestinationCheck: Sendable {
    /// The policy forbids the URL, or an address of its host.
    package struct Refused: Error, CustomStringConvertible {
        package let failure: TransferFailure
        package var description: String { failure.message }
    }

    let resolver: HostResolver

    package init(resolver: HostResolver) { self.resolver = resolver }

    /// Throws ``Refused``. A name that cannot be resolved is left to the session.
    ///
    /// - Parameter redirects: how many have led to the URL.
    package func check(_ specification: TransferSpecification, redirects: Int = 0) async throws {
        let policy = specification.securityPolicy
        if policy.allowsEveryDestination { return }
        func refuse(_ refusal: AddressRefusal?) throws {
            guard let refusal else { return }
            throw Refused(failure: .refusedAddress(refusal, redirects: redirects, specification.labeledURL))
        }
        let written = URLDestination(url: specification.url)
        try refuse(policy.refusal(of: written))
        guard case .dependsOnAddress = policy.verdict(on: written) else { return }
        // As the session gets it: internationalized names are mapped.
        let mapped = URLDestination(url: URL(string: specification.url)?.absoluteString ?? specification.url)
        guard case .name(let name) = mapped.host else { return try refuse(policy.refusal(of: mapped)) }
        for address in await resolver.addresses(name) {
            try refuse(policy.refusal(dialing: address, for: written))
        }
    }
}
