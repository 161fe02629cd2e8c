import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkTransfers

/// Runs the worker of one claimed item, and reports in the store's terms how the run ended.
struct WorkExecution: Sendable {
    /// By then the process is suspended, or goes on in the foreground.
    private static let pauseAfterExpiration = Duration.seconds(10)
    /// Before the daemon's program is looked for again.
    private static let pauseWithoutAgent = Duration.seconds(30)

    var workers: WorkerRegistry
    var services: WorkerServices

    nonisolated(nonsending) func run(_ work: ClaimedWork, services run: RunServices) async -> RunEnding {
        let record = work.record
        guard let worker = workers.worker(named: record.workerName) else {
            return .failed(
                "No worker is registered under the name \"\(record.workerName)\". Registered are: "
                    + workers.names.joined(separator: ", ")
                    + ". Register it, or give the worker that replaced it this name as an alias.")
        }
        let context = WorkerContext(
            workID: record.id, chainID: record.chainID, stepIndex: record.stepIndex, occurrence: record.occurrence,
            runAttempt: record.status.attempt, previousOutputs: work.previousOutputs,
            metadata: record.options.metadata ?? [:], deadline: record.options.deadline?.date,
            key: record.transferKey, services: run)
        var services = services
        services.securityPolicy = record.securityPolicy
        services.validatesInput = record.options.inputMerge != nil
        services.isLastAttempt =
            record.retryPolicy.delayMs(afterAttempt: record.status.attempt, random: 0.5) == nil
        if !record.isIdempotent { services.callWorker = run.callWorker }
        do {
            let input = try record.options.inputMerge.map {
                try $0.merged(input: record.inputJSON, outputs: work.previousOutputs)
            }
            return Self.ending(
                of: try await worker.run(input ?? record.inputJSON, context, services), record: record, run: run)
        } catch is WorkerNotCalled {
            return Self.stopped(record, run) ?? .stopped(message: nil)
        } catch let error as WorkerInputError {
            return .failed(error.description)
        } catch let error as WorkerOutputError {
            return .failed("\(record.workerName) failed: \(error)")
        } catch let error as InputMergeError {
            return .failed("\(record.workerName) was not started: \(error)")
        } catch let error as AgentUnavailableError where error.isProgramMissing {
            // Nothing is wrong with the request, and no number of attempts helps.
            return Self.stopped(record, run)
                ?? .snooze(Self.pauseWithoutAgent, reason: "\(record.workerName) waits: \(error)")
        } catch {
            // A worker that answers a stop with `.retry` says that it may run again; one that throws does not.
            if !record.isIdempotent, let words = Self.interruption(run) {
                return .failed(
                    "interrupted (\(words)), and the request is not idempotent, so it was not started again: \(error)")
            }
            return Self.stopped(record, run)
                ?? .retry(
                    reason: "\(record.workerName) threw: \(error)", after: nil, attemptCap: nil)
        }
    }

    private static func ending(of result: WorkerResult, record: WorkRecord, run: RunServices) -> RunEnding {
        switch result {
        case .success(let message, let outputJSON):
            if let reason = outputJSON.flatMap(JSONSyntax.complaint(about:)) {
                return .failed("\(record.workerName) returned an outputJSON that is not valid JSON: \(reason)")
            }
            return .finished(.succeeded, message: message, outputJSON: outputJSON)
        case .failure(let message): return .failed(message)
        case .retry(let reason, let after, let attemptCap):
            return stopped(record, run) ?? .retry(reason: reason, after: after, attemptCap: attemptCap)
        case .snooze(let duration, let reason): return stopped(record, run) ?? .snooze(duration, reason: reason)
        case .handedOff(let token, let message, let expiresAfter):
            guard token.key == record.transferKey else {
                return .failed(
                    "\(record.workerName) handed off with the token \(token), which is not the one of its "
                        + "context (\(record.transferKey))")
            }
            return .handedOff(message: message, expiresAfter: expiresAfter)
        }
    }

    private static func interruption(_ run: RunServices) -> String? {
        switch run.stopReason {
        case .shutdown: "the scheduler was shut down"
        case .constraintLost: "a condition that it needs was lost"
        case .expired: "the system has ended its time"
        case .cancelled, .timeout, .deadline, nil: nil
        }
    }

    /// The result of a run that did not complete, if it had been asked to stop. Decided by the stop reason, not by a
    /// clock.
    private static func stopped(_ record: WorkRecord, _ run: RunServices) -> RunEnding? {
        switch run.stopReason {
        case nil: nil
        case .cancelled, .shutdown: .stopped(message: nil)
        case .expired: .snooze(pauseAfterExpiration, reason: "stopped, because the system has ended its time")
        case .constraintLost: .stopped(message: "stopped, because a condition that it needs was lost")
        case .timeout:
            .retry(
                reason: "timed out: the run took longer than \(Duration.milliseconds(record.options.timeoutMs ?? 0))",
                after: nil, attemptCap: nil)
        case .deadline: .failed("stopped, because its deadline passed while it ran")
        }
    }
}
