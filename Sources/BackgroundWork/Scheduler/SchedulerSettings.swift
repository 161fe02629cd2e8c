import BackgroundWorkDevice
import BackgroundWorkModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a scheduler keeps of its configuration.
struct SchedulerSettings: Sendable {
    var clock: any WorkClock
    var random: @Sendable () -> Double
    var limits: WorkLimits
    var device: any DeviceStateReader

    init(_ configuration: WorkScheduler.Configuration, directory: String, workers: WorkerRegistry) {
        clock = configuration.clock
        random = configuration.random
        limits = WorkLimits(
            workers: configuration.workerLimits, queues: configuration.queueLimits,
            onlyWorkers: configuration.leavesUnknownWorkers ? Set(workers.names) : nil)
        device = configuration.deviceState ?? PlatformDeviceState.reader(directory: directory)
    }

    /// The shortest interval that the platform grants: iOS runs refresh tasks no more often than each quarter of an
    /// hour (https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtask).
    static var minimumInterval: Duration {
        #if canImport(BackgroundTasks)
        .seconds(15 * 60)
        #else
        .seconds(1)
        #endif
    }
}
