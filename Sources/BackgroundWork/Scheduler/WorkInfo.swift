#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import BackgroundWorkModel
import BackgroundWorkStorage

/// What is known of one work item at one moment.
public struct WorkInfo: Sendable, Hashable {
    /// The item's id.
    public let id: String
    /// The chain it belongs to, if any.
    public let chainID: String?
    /// The step of the chain, counted from 0.
    public let stepIndex: Int
    /// The worker's name as requested.
    public let workerClassName: String
    /// Where it stands.
    public let state: WorkState
    /// How many attempts were begun.
    public let runAttempt: Int
    /// The last thing said about it: why it is tried again, how it ended.
    public let message: String?
    /// What it gave, once it has succeeded.
    public let outputJSON: String?
    /// When it is due, while it is pending.
    public let due: Date?
    /// When it was enqueued.
    public let enqueuedAt: Date
    /// When it finished.
    public let finishedAt: Date?

    init(_ record: WorkRecord) {
        id = record.id
        chainID = record.chainID
        stepIndex = record.stepIndex
        workerClassName = record.workerName
        state = record.status.state
        runAttempt = record.status.attempt
        message = record.message
        outputJSON = record.outputJSON
        due = record.status.state == .pending ? record.due.date : nil
        enqueuedAt = record.enqueuedAt.date
        finishedAt = record.finishedAt?.date
    }
}
