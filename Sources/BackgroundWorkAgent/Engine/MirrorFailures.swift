import BackgroundWorkTransfers

/// Why the URLs of a transfer have failed that were tried before the one in use, for the message of its end: the first
/// is the one that the client has asked for.
struct MirrorFailures: Sendable, Hashable, Codable {
    /// The most that are kept: the first URL's and those of the newest mirrors. Together with the longest ones a message
    /// of the agent has room for them.
    private static let most = 8
    private static let longest = 2_000

    /// Messages without secrets.
    private(set) var messages: [String] = []
    /// How many mirrors are left out between the first URL and the others.
    private(set) var omitted = 0

    var isEmpty: Bool { messages.isEmpty }

    mutating func add(_ failure: TransferFailure) {
        messages.append(failure.message.shown(upTo: Self.longest))
        guard messages.count > Self.most else { return }
        messages.remove(at: 1)
        omitted += 1
    }

    /// The message of a transfer that has ended with this failure.
    func message(endingWith last: String) -> String {
        guard let first = messages.first else { return last }
        let others = messages.dropFirst() + [last]
        let isOne = others.count == 1 && omitted == 0
        let count = omitted > 0 ? " (\(omitted) more are not shown)" : ""
        return "\(first) Its mirror\(isOne ? "" : "s") failed as well\(count): \(others.joined(separator: " "))"
    }
}
