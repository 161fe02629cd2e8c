/// All that a store wants to be launched for.
package struct WakeList: Sendable, Hashable, Codable {
    /// At most a few: one for each set of needs, with the earliest instant of the work that has them.
    package var times: [WakeRequest]
    package var files: [FileWakeRequest]

    package init(times: [WakeRequest] = [], files: [FileWakeRequest] = []) {
        self.times = times
        self.files = files
    }

    package var isEmpty: Bool { times.isEmpty && files.isEmpty }
}

extension WakeList: ExpressibleByArrayLiteral {
    package init(arrayLiteral times: WakeRequest...) { self.init(times: times) }
}
