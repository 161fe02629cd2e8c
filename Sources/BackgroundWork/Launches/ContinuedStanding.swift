import BackgroundWorkModel

/// How far the work of a run is.
struct ContinuedStanding: Sendable, Hashable {
    var completed: Int64 = 0
    var total: Int64
    /// All of it has ended.
    var isOver = true
    /// None of it has ended otherwise than with success.
    var isSuccess = true
    var isRunning = false
    /// The newest message of the first work that has one and has not ended.
    var message: String?

    /// - Parameters:
    ///   - infos: what is known of it. What is no longer retained has ended.
    ///   - count: how many pieces of work there are.
    init(_ infos: [WorkInfo], of count: Int) {
        total = Int64(count) * ContinuedDisplay.unitsOfWork
        completed = Int64(count - infos.count) * ContinuedDisplay.unitsOfWork
        for info in infos {
            if info.state.isFinished {
                completed += ContinuedDisplay.unitsOfWork
                if info.state != .succeeded { isSuccess = false }
            } else {
                isOver = false
                // All of it only when it has ended.
                let done = Double(ContinuedDisplay.unitsOfWork) * (info.progress?.fraction ?? 0)
                completed += min(Int64(done), ContinuedDisplay.unitsOfWork - 1)
                if info.state == .running { isRunning = true }
                if message == nil { message = info.progress?.message }
            }
        }
    }
}
