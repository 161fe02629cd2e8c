import Dispatch

/// A serial dispatch queue as an actor's executor, so that work that blocks on the disk stays off Swift's
/// cooperative pool and is still checked by the compiler.
package final class DispatchQueueExecutor: SerialExecutor {
    package let holdable: HoldableQueue
    package var queue: DispatchQueue { holdable.queue }

    package init(label: String) { holdable = HoldableQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        holdable.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
