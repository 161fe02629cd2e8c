import BackgroundWorkExchange
import BackgroundWorkFiles
import BackgroundWorkStorage
import Dispatch
import Synchronization

/// The network loop's side of the storage queue: submits jobs and receives their results, on the loop's thread.
final class StagingClient {
    private let queue: StorageQueue
    private let wake: WakeDescriptor
    private let ended = EndedJobs()
    private var continuations: [UInt64: ((any Error)?) -> Void] = [:]
    private let digesting = DispatchQueue(label: "bgwork.agent.digests")
    /// Reads from one disk do not wait for reads from another.
    private let reading = DispatchQueue(label: "bgwork.agent.reads", attributes: .concurrent)
    private var lastTicket: UInt64 = 0
    /// Called when the journal is found damaged.
    var damageFound: (SQLiteError) -> Void = { _ in }

    init(queue: StorageQueue, wake: WakeDescriptor) {
        self.queue = queue
        self.wake = wake
    }

    /// Whether no job is running.
    var isIdle: Bool { continuations.isEmpty }

    /// Runs a job on the storage queue; `then` is called on the loop's thread once it is committed or has failed.
    func submit<Value: Sendable>(
        syncing files: FilesToSync = .none,
        write: @escaping @Sendable (Journal) throws -> Value,
        cleanUp: @escaping @Sendable (Value) -> Void = { _ in },
        then: @escaping (Result<Value, any Error>) -> Void
    ) {
        let (ticket, answer) = expect(then)
        queue.add(
            StorageJob(
                files: files,
                write: { answer.set(try write($0)) },
                cleanUp: { if let value = answer.get() { cleanUp(value) } },
                end: { [ended, wake] error in
                    if ended.add(ticket: ticket, error: error) { wake.wake() }
                }))
    }

    /// Computes a checksum on another queue, because the storage queue must not wait for it; `then` is called on the
    /// loop's thread.
    func digest(
        _ body: @escaping @Sendable () throws -> String, then: @escaping (Result<String, any Error>) -> Void
    ) {
        run(body, on: digesting, then: then)
    }

    /// Checks or reads a file to upload, concurrently with all other jobs; `then` is called on the loop's thread. The
    /// order of several reads is not preserved.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value, then: @escaping (Result<Value, any Error>) -> Void
    ) {
        run(body, on: reading, then: then)
    }

    /// Creates a ticket for a job, and the place for its result.
    private func expect<Value: Sendable>(
        _ then: @escaping (Result<Value, any Error>) -> Void
    ) -> (ticket: UInt64, answer: StorageAnswer<Value>) {
        lastTicket += 1
        let answer = StorageAnswer<Value>()
        continuations[lastTicket] = { error in
            if let error {
                then(.failure(error))
            } else if let value = answer.get() {
                then(.success(value))
            }
        }
        return (lastTicket, answer)
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value, on queue: DispatchQueue,
        then: @escaping (Result<Value, any Error>) -> Void
    ) {
        let (ticket, answer) = expect(then)
        queue.async { [ended, wake] in
            var failure: (any Error)?
            do { answer.set(try body()) } catch { failure = error }
            if ended.add(ticket: ticket, error: failure) { wake.wake() }
        }
    }

    /// Calls the continuations of the jobs that have ended.
    func deliverAnswers() {
        for (ticket, error) in ended.take() {
            if let damage = error as? SQLiteError, damage.isDamage { damageFound(damage) }
            continuations.removeValue(forKey: ticket)?(error)
        }
    }
}

/// Carries a job's value from the storage queue to the network loop.
final class StorageAnswer<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    func set(_ value: Value) { content.withLock { $0 = value } }

    func get() -> Value? { content.withLock { $0 } }
}

/// Jobs that have ended and that the network loop has not processed yet, oldest first.
final class EndedJobs: Sendable {
    typealias Entry = (ticket: UInt64, error: (any Error)?)

    private let entries = Mutex<[Entry]>([])

    /// Returns whether it is the first one in the list, so that the loop must be woken.
    func add(ticket: UInt64, error: (any Error)?) -> Bool {
        entries.withLock {
            $0.append((ticket, error))
            return $0.count == 1
        }
    }

    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}
