import BackgroundWorkModel

/// The requests that one scheduler has at most: one refresh, and one processing request for each set of needs that
/// the system knows. It takes 1 refresh and 10 processing requests of an app.
package enum LaunchKind: String, Sendable, Hashable, CaseIterable {
    case refresh
    case processing
    case processingNetwork = "processing.network"
    case processingPower = "processing.power"
    case processingNetworkPower = "processing.network.power"

    /// The first kind whose launch the needs allow. Those that the system does not know are checked after the launch.
    init(needs: Constraints) {
        self =
            switch (needs.contains(.network), needs.contains(.charging)) {
            case (true, true): .processingNetworkPower
            case (true, false): .processingNetwork
            case (false, true): .processingPower
            case (false, false): needs.isEmpty ? .refresh : .processing
            }
    }

    package var needsNetwork: Bool { self == .processingNetwork || self == .processingNetworkPower }

    package var needsPower: Bool { self == .processingPower || self == .processingNetworkPower }

    func identifier(prefix: String) -> String { "\(prefix).\(rawValue)" }
}
