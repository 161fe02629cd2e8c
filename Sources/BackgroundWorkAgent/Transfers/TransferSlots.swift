/// Which of the waiting transfers may run: first come, first served, within limits for each host and overall.
struct TransferSlots: Sendable {
    var perHost = 6
    var overall = 64
    private var waiting: [(task: Int64, host: String)] = []
    private var running: [Int64: String] = [:]
    private var runningPerHost: [String: Int] = [:]

    init(perHost: Int = 6, overall: Int = 64) {
        self.perHost = perHost
        self.overall = overall
    }

    mutating func add(task: Int64, host: String) { waiting.append((task, host)) }

    /// Takes out a transfer that is over, running or not.
    mutating func remove(task: Int64) {
        if let host = running.removeValue(forKey: task) {
            let left = runningPerHost[host, default: 1] - 1
            runningPerHost[host] = left > 0 ? left : nil
        } else {
            waiting.removeAll { $0.task == task }
        }
    }

    /// Moves every transfer that has a slot now to the running ones, and returns them in the order they came.
    mutating func takeStartable() -> [Int64] {
        guard running.count < overall, !waiting.isEmpty else { return [] }
        var started: [Int64] = []
        var left: [(task: Int64, host: String)] = []
        for one in waiting {
            if running.count < overall, runningPerHost[one.host, default: 0] < perHost {
                running[one.task] = one.host
                runningPerHost[one.host, default: 0] += 1
                started.append(one.task)
            } else {
                left.append(one)
            }
        }
        waiting = left
        return started
    }
}
