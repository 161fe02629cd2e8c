import BackgroundWorkFiles
import BackgroundWorkModel

extension FirstAnswer where Value == Bool {
    /// True if the body ends first: before an instant of the clock's uptime, and before another answer. Otherwise it
    /// goes on by itself.
    func ended(
        before end: Duration?, on clock: any WorkClock, _ body: @escaping @Sendable () async -> Void
    ) async -> Bool {
        Task {
            await body()
            give(true)
        }
        let alarm = end.map { end in
            Task {
                do { try await clock.sleep(untilUptime: end) } catch { return }
                give(false)
            }
        }
        defer { alarm?.cancel() }
        return await wait()
    }
}
