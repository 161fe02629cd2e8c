import BackgroundWorkSystem

/// The names of users and groups. A look at the system's lists may read files or ask a server, so it is for errors and
/// rare cases only.
enum AccountName {
    /// What is wrong with a file of another user, as a sentence without its end.
    static func foreign(_ owner: uid_t) -> String {
        "it belongs to the user \(described(user: owner)), and this process runs as \(described(user: geteuid()))"
    }

    /// The user's number, and its name if the system has one, for messages.
    static func described(user: uid_t) -> String { described(user, name(of: user)) }

    /// The group's number, and its name if the system has one, for messages.
    static func described(group: gid_t) -> String { described(group, name(ofGroup: group)) }

    private static func described(_ number: UInt32, _ name: String?) -> String {
        name.map { "\(number) (\($0))" } ?? "\(number)"
    }

    /// `nil` if the system has none.
    static func name(of user: uid_t) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil else { return nil }
            return entry.pw_name.map { String(cString: $0) }
        }
    }

    private typealias GroupEntry = group

    /// `nil` if the system has none.
    static func name(ofGroup number: gid_t) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var entry = GroupEntry()
            var found: UnsafeMutablePointer<GroupEntry>?
            guard getgrgid_r(number, &entry, start, buffer.count, &found) == 0, found != nil else { return nil }
            return entry.gr_name.map { String(cString: $0) }
        }
    }
}
