#if os(Linux)
/// One way in which a limit counts.
struct RateCase {
    enum Kind: CaseIterable {
        case download, fourConnections, threeDownloads, upload

        var words: String {
            switch self {
            case .download: "a download"
            case .fourConnections: "a download over four connections"
            case .threeDownloads: "three downloads under one limit for all"
            case .upload: "an upload"
            }
        }

        var transfers: Int { self == .threeDownloads ? 3 : 1 }
    }

    var kind: Kind
    var bytesPerSecond: Int

    /// For how many seconds it is measured.
    static let seconds = 3.0
    /// How far from the limit is an error.
    static let tolerance = 0.05
    /// More than can be moved meanwhile; parts are not made of less than a few megabytes.
    var fileBytes: Int { max(Int(Double(bytesPerSecond) * (Self.seconds + 4)), 32 << 20) }

    var rateWords: String {
        bytesPerSecond >= 1_000_000 ? "\(bytesPerSecond / 1_000_000) MB/s" : "\(bytesPerSecond / 1000) kB/s"
    }
}
#endif
