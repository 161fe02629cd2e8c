import BackgroundWorkModel
import Synchronization

/// Keeps the newest notices and passes each on.
final class NoticeLog: Sendable {
    private static let kept = 100
    private let notices = Mutex<[SchedulerNotice]>([])
    private let clock: any WorkClock
    private let handler: (@Sendable (SchedulerNotice) -> Void)?

    init(clock: any WorkClock, handler: (@Sendable (SchedulerNotice) -> Void)?) {
        self.clock = clock
        self.handler = handler
    }

    var newest: [SchedulerNotice] { notices.withLock { $0 } }

    func add(_ kind: SchedulerNotice.Kind, _ message: String) {
        let notice = SchedulerNotice(kind: kind, message: message, date: clock.now)
        notices.withLock { notices in
            notices.append(notice)
            if notices.count > Self.kept { notices.removeFirst() }
        }
        handler?(notice)
    }

    /// Said on the standard error as well: without its agent a program waits for transfers that nobody begins.
    @Sendable func agentIsMissing(_ error: any Error) {
        add(.daemonUnreachable, "\(error)")
        StandardError.say("\(error)")
    }
}
