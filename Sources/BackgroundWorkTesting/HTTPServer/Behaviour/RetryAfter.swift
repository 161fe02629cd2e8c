#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a client may try again, in the two forms that `Retry-After` has.
public enum RetryAfter: Sendable, Hashable {
    /// So many seconds later.
    case seconds(Int)
    /// At this time, which is sent in whole seconds.
    case date(Date)

    var text: String {
        switch self {
        case .seconds(let seconds): "\(seconds)"
        case .date(let date): HTTPDate.text(date)
        }
    }
}
