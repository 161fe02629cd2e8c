import Dispatch

/// A serial dispatch queue as an actor's executor, so that work that blocks on the disk stays off Swift's
/// cooperative pool and is still checked by the compiler.
package final class DispatchQueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
