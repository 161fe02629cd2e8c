import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A host's access to the transfers that the daemon makes for it: to enqueue, list, follow, pause and resume them.
/// ``WorkScheduler/backgroundSessions`` creates one.
///
/// ```swift
/// let download = DownloadConfiguration(url: "https://example.com/film.mp4", savePath: path)
/// try await scheduler.backgroundSessions.enqueueDownload(configuration: download, id: "film")
/// for await progress in scheduler.backgroundSessions.progress { print(progress.workID, progress.fraction ?? 0) }
/// ```
///
/// All of it may be used from any isolation, except for
/// ``handleEvents(forBackgroundURLSession:completionHandler:)``.
public struct BackgroundSessionManager: Sendable {
    let scheduler: WorkScheduler

    /// Calls `completionHandler` once, on the main actor, when the outcomes that wait for this session have been
    /// processed: the files are in place, the events committed and the outcomes acknowledged to the daemon. Never
    /// before this call has returned.
    ///
    /// It waits for the outcomes that are being processed at the call. Before ``WorkScheduler/start()``, and while a
    /// connection to the daemon is being made, it waits for those that the daemon has by then; so the handler also
    /// waits for the start. Outcomes of other sessions do not count, nor do those that come later. An outcome that
    /// cannot be processed after eight tries, over about 25 seconds, is reported as a notice, left to a later
    /// connection, and no longer delays the handler.
    ///
    /// When no outcome waits it is called at once. When the daemon cannot be reached it is called as soon as that is
    /// known (there is a ``SchedulerNotice/Kind/daemonUnreachable`` then), and the daemon's outcomes are processed
    /// later. At the latest it is called at the end of ``WorkScheduler/shutdown(gracePeriod:)``. Each handler that
    /// was given is called, also when a session has several.
    ///
    /// Its signature is that of UIKit's `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    @MainActor
    public func handleEvents(
        forBackgroundURLSession identifier: String, completionHandler: @escaping () -> Void
    ) {
        guard let transfers = scheduler.transfers else {
            Task { @MainActor in completionHandler() }
            return
        }
        transfers.handleEvents(ofSession: identifier, then: completionHandler)
    }

    /// Stores a download, to be handed to the daemon when its trigger says so. Durable when it returns. Otherwise as
    /// ``WorkScheduler/enqueue(_:id:trigger:policy:)``.
    ///
    /// A group that the configuration names becomes a tag as well, so that its members are found together.
    ///
    /// - Parameters:
    ///   - workerName: the worker that hands it off; its input is the configuration.
    ///   - id: names the work. Generated when left out.
    ///   - priority: the priority of the hand-off; left out, that of the transfer.
    @discardableResult
    public func enqueueDownload(
        workerName: String = "BackgroundDownloadWorker", configuration: DownloadConfiguration, id: String? = nil,
        trigger: TaskTrigger = .oneTime(), policy: ExistingWorkPolicy = .replace, constraints: Constraints = [],
        priority: WorkPriority? = nil, retryPolicy: RetryPolicy = .exponential(), tags: Set<String> = [],
        queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:], deadline: Date? = nil
    ) async throws -> ScheduleResult {
        let request = TaskRequest(
            workerClassName: workerName, inputJSON: configuration.inputJSON, constraints: constraints,
            priority: priority ?? configuration.options.priority, retryPolicy: retryPolicy,
            tags: tagged(tags, configuration.options), queue: queue, metadata: metadata, deadline: deadline)
        return try await scheduler.enqueue(request, id: id, trigger: trigger, policy: policy)
    }

    /// Stores an upload; otherwise as ``enqueueDownload(workerName:configuration:id:trigger:policy:constraints:priority:retryPolicy:tags:queue:metadata:deadline:)``.
    @discardableResult
    public func enqueueUpload(
        workerName: String = "BackgroundUploadWorker", configuration: UploadConfiguration, id: String? = nil,
        trigger: TaskTrigger = .oneTime(), policy: ExistingWorkPolicy = .replace, constraints: Constraints = [],
        priority: WorkPriority? = nil, retryPolicy: RetryPolicy = .exponential(), tags: Set<String> = [],
        queue: String = TaskRequest.defaultQueue, metadata: [String: String] = [:], deadline: Date? = nil
    ) async throws -> ScheduleResult {
        let request = TaskRequest(
            workerClassName: workerName, inputJSON: configuration.inputJSON, constraints: constraints,
            priority: priority ?? configuration.options.priority, retryPolicy: retryPolicy,
            tags: tagged(tags, configuration.options), queue: queue, metadata: metadata, deadline: deadline)
        return try await scheduler.enqueue(request, id: id, trigger: trigger, policy: policy)
    }

    /// All transfers that the daemon knows, with what the store knows of their work, each at one moment. Transfers
    /// that have not been handed off yet are not included.
    ///
    /// Throws when the daemon cannot be reached, ``UnsupportedTransfersError`` where there is none, and the
    /// database's errors. Starts the daemon if it does not run and has ever had a transfer.
    public func transfers() async throws -> [TransferInfo] {
        guard let service = scheduler.transferService else { throw UnsupportedTransfersError() }
        let known = try await service.transfers()
        if known.isEmpty { return [] }
        let identity = scheduler.store.identity
        return try await scheduler.store.read { transaction in
            try known.map { snapshot in
                TransferInfo(
                    snapshot, try transaction.record(id: snapshot.reference.key.workID),
                    isOfThisStore: snapshot.reference.store == identity)
            }
        }
    }

    /// The progress of the transfers: first what is known of each, then each report of the daemon, at most ten a
    /// second of each transfer. A transfer's last report says how it ended, unless it was cancelled or the daemon
    /// could not be reached then; its request's end is an event.
    ///
    /// Each access is a separate subscription, which buffers 1024 reports for a slow reader and then drops the
    /// oldest. It ends with the scheduler's shutdown. Reports come while the scheduler is started;
    /// `scheduler.eventBus.progress` has the same as text, at most four times a second.
    public var progress: AsyncStream<TransferProgress> {
        guard let transfers = scheduler.transfers else { return AsyncStream { $0.finish() } }
        return transfers.progress.stream
    }

    /// Differences between work, state file and daemon that were found when a connection was made, and what was done:
    /// the newest 20, oldest first. Each was a ``SchedulerNotice/Kind/transfersReconciled`` too.
    public var reconciliations: [TransferReconciliation] { scheduler.transfers?.reconciliations.newest ?? [] }

    private func tagged(_ tags: Set<String>, _ options: TransferOptions) -> Set<String> {
        options.group.map { tags.union([TransferGroup.tag(for: $0)]) } ?? tags
    }
}

extension WorkScheduler {
    /// Passes UIKit's completion handler for a background session to the schedulers, `Downloader`s and `Uploader`s of this
    /// process that use the session: those there are, or the first that is created within 20 seconds. It is called as
    /// ``BackgroundSessionManager/handleEvents(forBackgroundURLSession:completionHandler:)`` says, when all of them have
    /// processed what waits. If none comes it is called as well, with a notice of the kind
    /// ``SchedulerNotice/Kind/unclaimedSession`` in those that there are, or that come later.
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    ///     completionHandler: @escaping () -> Void
    /// ) { WorkScheduler.handleEvents(forBackgroundURLSession: identifier, completionHandler: completionHandler) }
    /// ```
    @MainActor
    public static func handleEvents(
        forBackgroundURLSession identifier: String, completionHandler: @escaping () -> Void
    ) { SessionEventDispatch.shared.handleEvents(ofSession: identifier, then: completionHandler) }

    /// The transfers of this scheduler's directory, and the sessions that they belong to.
    public var backgroundSessions: BackgroundSessionManager { BackgroundSessionManager(scheduler: self) }
}
