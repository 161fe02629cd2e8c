import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Lets the workers check the inputs of requests before anything is stored.
struct InputValidation: Sendable {
    var workers: WorkerRegistry
    /// The policy that accepted work gets.
    var securityPolicy: SecurityPolicy

    /// The most bytes of a name and of an error's words in a reason.
    private static let longestName = 200
    private static let longestWords = 4_000

    /// Why the request is refused, with its id and worker; `nil` if it is accepted. All of it is cut to a length that can
    /// be shown, and has no control characters: a worker may repeat what the input has. A worker that is not registered
    /// here, and an input that is merged when the work runs, are not checked.
    ///
    /// - Parameter id: only made for a refusal.
    func refusal(of request: TaskRequest, id: @autoclosure () -> String?) -> String? {
        guard request.inputMerge == nil, let validate = workers.worker(named: request.workerClassName)?.validate else {
            return nil
        }
        do {
            try validate(request.inputJSON, securityPolicy)
            return nil
        } catch {
            let worker = request.workerClassName.shown(upTo: Self.longestName)
            let name = id().map { "\($0.shown(upTo: Self.longestName)) (\(worker))" } ?? worker
            return "\(name): \(Self.words(of: error).shown(upTo: Self.longestWords))"
        }
    }

    /// Why the first refused member of a chain is refused; `nil` if all are accepted.
    func refusal(of chain: ChainSteps, id: String?) -> String? {
        for (step, requests) in chain.steps.enumerated() {
            for (index, request) in requests.enumerated() {
                let refusal = refusal(
                    of: request,
                    id: id.map { ChainSteps.memberID(chain: $0, step: step, index: index) }
                        ?? "step \(step), request \(index)")
                if let refusal { return refusal }
            }
        }
        return nil
    }

    /// An error as the reason of a refusal.
    static func words(of error: any Error) -> String {
        if let error = error as? WorkerInputError { return error.reason }
        return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
