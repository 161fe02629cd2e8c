import BackgroundWorkModel
import BackgroundWorkStorage

extension Runner {
    /// What a runner is made of. A class, since each run refers to it.
    final class Parts: Sendable {
        let store: WorkStore
        let execution: WorkExecution
        let slots: Int
        let limits: WorkLimits
        let triggers: TriggerCheck
        let clock: any WorkClock
        let random: @Sendable () -> Double
        let device: any DeviceStateReader
        let progress: WorkProgressPublisher
        let telemetry: TelemetryRelay?
        let notices: NoticeLog

        init(
            store: WorkStore, execution: WorkExecution, slots: Int, limits: WorkLimits, triggers: TriggerCheck,
            clock: any WorkClock, random: @escaping @Sendable () -> Double, device: any DeviceStateReader,
            progress: WorkProgressPublisher, telemetry: TelemetryRelay?, notices: NoticeLog
        ) {
            self.store = store
            self.execution = execution
            self.slots = slots
            self.limits = limits
            self.triggers = triggers
            self.clock = clock
            self.random = random
            self.device = device
            self.progress = progress
            self.telemetry = telemetry
            self.notices = notices
        }
    }
}
