/// Device conditions that must be met before a request starts, and while it runs.
///
/// ```swift
/// TaskRequest(workerClassName: "BackupWorker", constraints: [.unmeteredNetwork, .charging])
/// ```
///
/// When one is lost during a run, the worker is stopped with ``StopReason/constraintLost``, and the request waits
/// again; no attempt is counted. What each condition means on which system is in Docs/scheduling.md.
public struct Constraints: OptionSet, Sendable, Hashable, Codable {
    /// The conditions as bits. They are stored, so a bit never changes its meaning.
    public let rawValue: Int

    /// Creates conditions from their stored value.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The machine has a route to a network.
    public static let network = Constraints(rawValue: 1 << 0)
    /// The network is not metered. Includes ``network``.
    public static let unmeteredNetwork: Constraints = [.network, Constraints(rawValue: 1 << 1)]
    /// The machine is on external power. One without a battery always is.
    public static let charging = Constraints(rawValue: 1 << 2)
    /// The battery is not low, or there is none.
    public static let batteryNotLow = Constraints(rawValue: 1 << 3)
    /// The volume of the scheduler's directory has free space.
    public static let storageNotLow = Constraints(rawValue: 1 << 4)
    /// The machine is mostly idle.
    public static let deviceIdle = Constraints(rawValue: 1 << 5)

    /// All conditions.
    public static let all: Constraints = [.unmeteredNetwork, .charging, .batteryNotLow, .storageNotLow, .deviceIdle]
}

extension Constraints: CustomStringConvertible {
    /// The conditions as text, in the order in which they are declared: "a network, external power".
    public var description: String { inWords.joined(separator: ", ") }

    /// One phrase for each condition.
    package var inWords: [String] {
        var words: [String] = []
        if contains(.unmeteredNetwork) {
            words.append("an unmetered network")
        } else if contains(.network) {
            words.append("a network")
        } else if !isDisjoint(with: .unmeteredNetwork) {
            words.append("a network that is not metered")
        }
        if contains(.charging) { words.append("external power") }
        if contains(.batteryNotLow) { words.append("a battery that is not low") }
        if contains(.storageNotLow) { words.append("free storage") }
        if contains(.deviceIdle) { words.append("an idle device") }
        return words
    }
}
