/// The faults of conditions that have been reported, so that each is reported once for each condition and reason.
package struct ReportedFaults: Sendable {
    private var unreadable: [String: Constraints] = [:]
    private var unwatched: [String: Constraints] = [:]

    package init() {}

    /// Inserts the faults of a state, and returns a sentence for each that is new.
    package mutating func insert(_ state: DeviceState) -> [FaultReport] {
        state.unreadable.compactMap { fault in
            Self.new(fault, &unreadable).map {
                FaultReport(isUnreadable: true, message: "Counts as met, because it cannot be read: \($0)")
            }
        }
            + state.unwatched.compactMap { fault in
                Self.new(fault, &unwatched).map {
                    FaultReport(isUnreadable: false, message: "Is not fully watched: \($0)")
                }
            }
    }

    /// The fault of those of its conditions that have not been reported for this reason.
    private static func new(_ fault: ConditionFault, _ reported: inout [String: Constraints]) -> ConditionFault? {
        let known = reported[fault.reason, default: []]
        reported[fault.reason] = known.union(fault.conditions)
        return fault.restricted(to: .all.subtracting(known))
    }
}

/// A fault, for a person.
package struct FaultReport: Sendable, Equatable {
    /// Otherwise the condition can be read, but not watched as usual.
    package var isUnreadable: Bool
    package var message: String
}
