import BackgroundWork
import Foundation
import Observation

/// The downloads of the app: of this launch, and of earlier ones.
@MainActor @Observable
public final class DownloadStore {
    /// In the order in which they were added.
    public private(set) var downloads: [Download] = []
    /// The last thing that went wrong apart from a download; `nil` if nothing has.
    public private(set) var problem: String?

    @ObservationIgnored private let scheduler: WorkScheduler
    @ObservationIgnored private let folder: URL
    @ObservationIgnored private var followers: [Task<Void, Never>] = []
    @ObservationIgnored private var lastRead: Task<Void, Never>?

    /// Opens the work of earlier launches. It subscribes at once, so no end from here on is missed.
    ///
    /// - Parameters:
    ///   - folder: where the files go.
    public init(configuration: WorkScheduler.Configuration, folder: URL) throws {
        scheduler = try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
        self.folder = folder
        let (events, progress) = (scheduler.eventBus.events, scheduler.backgroundSessions.progress)
        followers = [
            Task { [weak self] in for await event in events { await self?.read(event.workID) } },
            Task { [weak self] in for await report in progress { self?.apply(report) } },
        ]
    }

    /// Lists what there is, and starts the scheduler. Call it once, also when the app was launched in the background.
    public func start() async {
        await attempt {
            let found = try await scheduler.infos(matching: WorkQuery(tags: [Self.tag]))
            for download in found.compactMap(Download.init) where !downloads.contains(where: { $0.id == download.id }) {
                downloads.append(download)
            }
            let sweep = try await scheduler.sweepStaleStateOnLaunch()
            if !sweep.dropped.isEmpty { problem = "\(sweep)" }
            try await scheduler.start()
        }
    }

    /// Puts running work back and stops following. Transfers continue.
    public func stop() async {
        await scheduler.shutdown()
        for follower in followers { await follower.value }
    }

    // MARK: - What the user does

    /// Adds a download; `address` begins with http:// or https://. What is refused is a ``problem``.
    public func add(_ address: String) async {
        let name = URL(string: address)?.lastPathComponent ?? ""
        let target = folder.appending(path: name.isEmpty || name == "/" ? "download" : name)
        var download = DownloadConfiguration(url: address, savePath: target.path(percentEncoded: false))
        download.onDuplicate = .rename
        let id = UUID().uuidString
        await attempt {
            // Durable when it returns: from here on the download goes on, whatever becomes of the app.
            let result = try await scheduler.backgroundSessions.enqueueDownload(
                configuration: download, id: id, tags: [Self.tag], metadata: [Download.addressKey: address])
            // Nothing is stored then.
            if case .rejectedBySystem(let reason) = result { problem = reason }
        }
        await read(id)
    }

    /// Keeps the bytes that have arrived, over relaunches, until it is resumed.
    public func pause(_ id: String) async {
        await attempt {
            switch try await scheduler.backgroundSessions.pause(id: id) {
            case .paused, .beforeHandOff, .whenReachable: change(id) { $0.state = .paused }
            case .tooLate, .alreadyFinished, .notATransfer, .unknown: break
            }
        }
    }

    /// Continues where it was, if the server allows that.
    public func resume(_ id: String) async {
        await attempt {
            try await scheduler.backgroundSessions.resume(id: id)
            change(id) { if $0.state == .paused { $0.state = .waiting } }
        }
    }

    /// Ends it, also in the daemon.
    public func cancel(_ id: String) async {
        await attempt { try await scheduler.cancel(id: id) }
        await read(id)
    }

    /// Begins a failed or cancelled one anew.
    public func retry(_ id: String) async {
        await attempt { try await scheduler.retry(id: id) }
        await read(id)
    }

    // MARK: - What the scheduler reports

    private func apply(_ report: TransferProgress) { change(report.workID) { $0.apply(report) } }

    /// Reads what is stored: after an end, and after what the user did. One after the other, so that none is older than
    /// the one before.
    private func read(_ id: String) async {
        let previous = lastRead
        let read = Task {
            await previous?.value
            await update(id)
        }
        lastRead = read
        await read.value
    }

    private func update(_ id: String) async {
        await attempt {
            guard let info = try await scheduler.info(id: id), let download = Download(info) else { return }
            if let index = downloads.firstIndex(where: { $0.id == id }) {
                // A report of the daemon says more than that it waits.
                if !download.isOver, !downloads[index].isOver { return }
                downloads[index] = download
            } else if info.tags.contains(Self.tag) {
                downloads.append(download)
            }
        }
    }

    private func change(_ id: String, _ body: (inout Download) -> Void) {
        guard let index = downloads.firstIndex(where: { $0.id == id }) else { return }
        var download = downloads[index]
        body(&download)
        if download != downloads[index] { downloads[index] = download }
    }

    private func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch { problem = "\(error)" }
    }

    /// What tells its work items from others of the same scheduler.
    private static let tag = "downloads"
}
