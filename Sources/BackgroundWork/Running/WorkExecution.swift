import BackgroundWorkModel
import BackgroundWorkStorage

/// Runs one claimed item's worker, and says in the store's terms how that ended.
struct WorkExecution: Sendable {
    var workers: WorkerRegistry
    var services: WorkerServices

    /// How a run ended.
    enum Ending: Sendable {
        case finished(WorkOutcome, message: String?, outputJSON: String?)
        case retry(reason: String, after: Duration?, attemptCap: Int?)
        case handedOff(message: String?)
        /// It was asked to stop, and did.
        case stopped
    }

    /// Whether a run of this worker may have left a transfer with the daemon.
    func handsOffTransfers(_ workerName: String) -> Bool {
        workers.worker(named: workerName)?.handsOffTransfers ?? false
    }

    func run(_ work: ClaimedWork, stop: StopFlag) async -> Ending {
        let record = work.record
        guard let worker = workers.worker(named: record.workerName) else {
            return .finished(
                .failed,
                message: "No worker is registered under the name \"\(record.workerName)\". Registered are: "
                    + workers.names.joined(separator: ", ")
                    + ". Register it, or give the worker that replaced it this name as an alias.",
                outputJSON: nil)
        }
        let context = WorkerContext(
            workID: record.id, chainID: record.chainID, stepIndex: record.stepIndex,
            runAttempt: record.status.attempt, previousOutputs: work.previousOutputs,
            handOffToken: HandOffToken(record.transferKey), stopReason: { stop.reason })
        do {
            return Self.ending(
                of: try await worker.run(record.inputJSON, context, services), record: record, stop: stop)
        } catch let error as WorkerInputError {
            return .finished(.failed, message: error.description, outputJSON: nil)
        } catch {
            if stop.reason != nil { return .stopped }
            return .retry(reason: "\(record.workerName) threw: \(error)", after: nil, attemptCap: nil)
        }
    }

    private static func ending(of result: WorkerResult, record: WorkRecord, stop: StopFlag) -> Ending {
        switch result {
        case .success(let message, let outputJSON):
            if let reason = outputJSON.flatMap(JSONSyntax.complaint(about:)) {
                return .finished(
                    .failed, message: "\(record.workerName) gave an outputJSON that is not valid JSON: \(reason)",
                    outputJSON: nil)
            }
            return .finished(.succeeded, message: message, outputJSON: outputJSON)
        case .failure(let message): return .finished(.failed, message: message, outputJSON: nil)
        case .retry(let reason, let after, let attemptCap):
            if stop.reason != nil { return .stopped }
            return .retry(reason: reason, after: after, attemptCap: attemptCap)
        case .handedOff(let token, let message):
            guard token.key == record.transferKey else {
                return .finished(
                    .failed,
                    message: "\(record.workerName) handed off with the token \(token), which is not the one of its "
                        + "context (\(record.transferKey))", outputJSON: nil)
            }
            return .handedOff(message: message)
        }
    }
}
