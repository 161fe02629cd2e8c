import BackgroundWorkModel
import Testing

struct ReportedFaultsTests {
    private var reported = ReportedFaults()

    @Test("each fault is reported once for each condition and reason")
    mutating func once() {
        let first = reported.insert(.unreadable(.charging, because: "no driver"))
        #expect(first.map(\.message) == ["Counts as met, because it cannot be read: external power (no driver)"])
        #expect(reported.insert(.unreadable(.charging, because: "no driver")) == [])
        #expect(reported.insert(DeviceState(satisfied: .all)) == [])
        #expect(
            reported.insert(.unreadable([.charging, .batteryNotLow], because: "no driver")).map(\.message) == [
                "Counts as met, because it cannot be read: a battery that is not low (no driver)"
            ])
        #expect(reported.insert(.unreadable(.charging, because: "no battery")).count == 1)
    }

    @Test("a condition that cannot be watched is reported apart from one that cannot be read")
    mutating func unwatched() {
        let fault = ConditionFault(.network, reason: "no socket")
        let state = DeviceState(satisfied: [], unreadable: [fault], unwatched: [fault])
        let reports = reported.insert(state)
        #expect(reports.map(\.isUnreadable) == [true, false])
        #expect(
            reports.map(\.message) == [
                "Counts as met, because it cannot be read: a network (no socket)",
                "Is not fully watched: a network (no socket)",
            ])
        #expect(reported.insert(state) == [])
    }
}
