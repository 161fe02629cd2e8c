#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An instant as part of a file name: `20260102T030405Z`.
package enum TimeStamp {
    package static func fileName(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: false)
                .timeSeparator(.omitted).timeZone(separator: .omitted))
    }
}
