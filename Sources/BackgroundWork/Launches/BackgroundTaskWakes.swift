import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// Has the system launch the app for due work: at most one request for each ``LaunchKind``.
///
/// Files are not watched while the app does not run. What the system refuses is a notice, one for each reason; the
/// work stays, and runs at the next launch.
final class BackgroundTaskWakes: WakeService {
    private let prefix: String
    private let scheduler: any LaunchRequestScheduler
    private let dispatch: LaunchDispatch
    private let clock: any WorkClock
    private let notices: NoticeLog
    private let reported = Mutex<Set<LaunchRequestError>>([])

    init(
        prefix: String, launches: LaunchServices, clock: any WorkClock, notices: NoticeLog
    ) {
        self.prefix = prefix
        scheduler = launches.scheduler
        dispatch = launches.dispatch
        self.clock = clock
        self.notices = notices
    }

    func setWakes(_ wakes: WakeList) async throws {
        guard dispatch.isUsed else { return }
        var earliest: [LaunchKind: WallTime] = [:]
        for wake in wakes.times {
            let kind = LaunchKind(needs: wake.needs)
            earliest[kind] = min(earliest[kind] ?? wake.earliest, wake.earliest)
        }
        let now = WallTime(clock.now)
        var refused: [LaunchRequestError: [String]] = [:]
        // What is not wanted any more makes room for the rest.
        for kind in LaunchKind.allCases where earliest[kind] == nil {
            await scheduler.cancel(kind.identifier(prefix: prefix))
        }
        for kind in LaunchKind.allCases {
            guard let instant = earliest[kind] else { continue }
            let identifier = kind.identifier(prefix: prefix)
            do throws(LaunchRequestError) {
                if let complaint = dispatch.complaint(about: identifier) { throw complaint }
                try await scheduler.submit(
                    LaunchRequest(identifier: identifier, kind: kind, earliest: instant > now ? instant.date : nil))
            } catch {
                refused[error, default: []].append(identifier)
            }
        }
        try report(refused)
    }

    /// Throws what may be different at the next attempt.
    private func report(_ refused: [LaunchRequestError: [String]]) throws {
        for (error, identifiers) in refused {
            if case .other = error { throw error }
            guard reported.withLock({ $0.insert(error).inserted }) else { continue }
            notices.add(
                .launchNotRequested,
                "The system will not launch this app for \(identifiers.joined(separator: ", ")): \(error.advice). Due "
                    + "work waits for the next launch.")
        }
    }
}
