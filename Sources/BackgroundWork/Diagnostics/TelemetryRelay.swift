import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkStorage
import Synchronization

/// Passes events to the hook, without ever waiting for it.
final class TelemetryRelay: Sendable {
    private enum Kind: Sendable {
        case scheduled, started, completed, failed, chainCompleted, chainFailed, chainSkipped
    }

    private struct Call: Sendable {
        var kind: Kind
        var event: TelemetryEvent
    }

    private static let bufferSize = 4096

    private let continuation: AsyncStream<Call>.Continuation
    private let delivery: Task<Void, Never>
    private let dropped = Mutex(0)

    init(hook: any TelemetryHook) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Call.self, bufferingPolicy: .bufferingOldest(Self.bufferSize))
        self.continuation = continuation
        delivery = Task { for await call in stream { await Self.make(call, to: hook) } }
    }

    /// What a commit changed.
    func committed(_ summary: CommitSummary) {
        for work in summary.scheduled {
            var event = TelemetryEvent(id: work.id, taskName: work.workerName, chainID: work.chainID)
            event.queue = work.queue
            pass(.scheduled, event)
        }
        for end in summary.events {
            var event = TelemetryEvent(id: end.workID, taskName: end.taskName, chainID: end.chainID)
            event.attempt = end.attempt
            event.duration = end.duration
            event.outcome = end.outcome
            event.message = end.message
            pass(end.success ? .completed : .failed, event)
        }
        for chain in summary.endedChains {
            var event = TelemetryEvent(id: chain.id)
            event.outcome = chain.outcome
            switch chain.outcome {
            case .succeeded: pass(.chainCompleted, event)
            case .failed, .cancelled: pass(.chainFailed, event)
            case .skipped: pass(.chainSkipped, event)
            }
        }
    }

    /// An attempt starts.
    func began(_ work: ClaimedWork, now: WallTime) {
        let record = work.record
        var event = TelemetryEvent(id: record.id, taskName: record.workerName, chainID: record.chainID)
        event.queue = work.claimGroup.queue
        event.attempt = record.status.attempt
        event.queueLatency = .milliseconds(max(0, now.milliseconds - record.due.milliseconds))
        pass(.started, event)
    }

    /// Delivers what has been passed on, and nothing after that.
    func finish() async {
        continuation.finish()
        await delivery.value
    }

    private func pass(_ kind: Kind, _ event: TelemetryEvent) {
        var event = event
        dropped.withLock { dropped in
            event.droppedBefore = dropped
            if case .dropped = continuation.yield(Call(kind: kind, event: event)) { dropped += 1 } else { dropped = 0 }
        }
    }

    private static func make(_ call: Call, to hook: any TelemetryHook) async {
        switch call.kind {
        case .scheduled: await hook.taskScheduled(call.event)
        case .started: await hook.taskStarted(call.event)
        case .completed: await hook.taskCompleted(call.event)
        case .failed: await hook.taskFailed(call.event)
        case .chainCompleted: await hook.chainCompleted(call.event)
        case .chainFailed: await hook.chainFailed(call.event)
        case .chainSkipped: await hook.chainSkipped(call.event)
        }
    }
}
