import Foundation

/// What a row is to reach.
enum QueueGoal: Sendable {
    case atMost(Double)
    case atLeast(Double)
    /// So many times the other build's figure.
    case timesOther(Double)

    var text: String {
        switch self {
        case .atMost(let limit): "≤ \(Self.plain(limit))"
        case .atLeast(let limit): "≥ \(Self.plain(limit))"
        case .timesOther(let factor): "≥ \(Self.plain(factor))x other"
        }
    }

    /// `nil` when the figure that it is about is missing.
    func isMet(value: Double?, ratio: Double?) -> Bool? {
        switch self {
        case .atMost(let limit): value.map { $0 <= limit }
        case .atLeast(let limit): value.map { $0 >= limit }
        case .timesOther(let factor): ratio.map { $0 >= factor }
        }
    }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
