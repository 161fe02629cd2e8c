/// What one look at the system has brought.
struct WatchReport {
    var changed: Set<String> = []
    var problems: [FileWatchProblem] = []
}
