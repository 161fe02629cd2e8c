/// Over how many connections one file is fetched. More than one needs a server that takes ranges, says how long the file
/// is, and names its version; a file of which that is not true comes over one.
public enum ConnectionPlan: Sendable, Hashable, Codable {
    /// Begins with one, and adds others while the file has long to go and each addition makes it faster.
    case adaptive(upTo: Int)
    /// Splits the file into so many ranges as soon as the server has said that it takes them.
    case fixed(Int)

    /// Up to four.
    public static let standard = ConnectionPlan.adaptive(upTo: 4)
    /// One.
    public static let single = ConnectionPlan.fixed(1)
    /// How many there may be.
    public static let allowed = 1...16

    /// The most connections at one time.
    public var maximum: Int {
        switch self {
        case .adaptive(let count), .fixed(let count): count
        }
    }
}
