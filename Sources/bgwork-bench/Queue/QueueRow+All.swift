extension QueueRow {
    static let all: [QueueRow] =
        throughput("plain", "10,000 no-ops, 1,000 callers", rate: .atLeast(60_000), cpu: .atMost(30)) + [
            QueueRow("rich", "rich jobs", .figure("rate", of: "rich"), .jobsPerSecond),
            QueueRow("rich", "  CPU a job", .figure("cpu", of: "rich"), .cpuMicroseconds),
            QueueRow("rich", "  CPU, by plain", ratio("cpu", "rich", "plain"), .times, goal: .atMost(2.5)),
            QueueRow(
                "rich", "  one acknowledgement at a time", .figure("cpu", of: "rich-serial"), .cpuMicroseconds),
            QueueRow("pair", "two processes, one directory", .figure("rate", of: "pair"), .jobsPerSecond),
            QueueRow("pair", "  CPU of both, a job", .figure("cpu", of: "pair"), .cpuMicroseconds),
            QueueRow("pair", "  CPU, by one process", ratio("cpu", "pair", "plain"), .times, goal: .atMost(2)),
            QueueRow("huey", "Huey, SQLite with fsync", .figure("rate", of: QueueSeries.huey), .jobsPerSecond),
            QueueRow(
                "huey", "  plain, by Huey", ratio("rate", "plain", QueueSeries.huey), .times, goal: .atLeast(40),
                isGain: true),
        ] + throughput("callers", "64 callers", series: "callers-64", rate: .timesOther(5))
        + throughput("callers", "8 callers", series: "callers-8", rate: .timesOther(1.5)) + [
            QueueRow("callers", "bare SQLite, one thread", .figure("rate", of: "bare"), .insertsPerSecond),
            QueueRow(
                "single", "one awaited enqueue, median", .figure("median", of: "single"), .milliseconds),
            QueueRow(
                "single", "  by a bare insert", ratio("median", "bare-median", of: "single"), .times,
                goal: .atMost(1.1)),
            QueueRow("single", "  99th percentile", .figure("p99", of: "single"), .milliseconds),
            QueueRow(
                "single", "  by a bare insert's", ratio("p99", "bare-p99", of: "single"), .times, goal: .atMost(1.3)),
            QueueRow(
                "idle", "commit to live subscriber", .figure("wake", of: "idle"), .microseconds, goal: .atMost(50)),
            QueueRow("idle", "  bare AsyncStream wake", .figure("bare-wake", of: "idle"), .microseconds),
            QueueRow("idle", "enqueue to event, idle queue", .figure("latency", of: "idle"), .microseconds),
            QueueRow("idle", "  by a bare insert", ratio("latency", "bare", of: "idle"), .times),
            QueueRow("idle", "  commits", .figure("commits", of: "idle"), .commits, goal: .atMost(2)),
            QueueRow(
                "chain", "chain of 1,000: CPU a step", .figure("cpu", of: "chain"), .cpuMicroseconds,
                goal: .atMost(200)),
            QueueRow("chain", "  time a step", .figure("wall", of: "chain"), .microseconds),
            QueueRow("chain", "  commits a step", .figure("commits", of: "chain"), .commits, goal: .atMost(1)),
            QueueRow(
                "parallel", "step of 1,000 parallel: CPU an item", .figure("cpu", of: "parallel"), .cpuMicroseconds,
                goal: .atMost(30)),
            opening("a new directory", "opening-new", goal: 6),
            opening("an existing one", "opening-existing", goal: 3),
            opening("100,000 pending", "opening-pending", goal: 4),
            QueueRow(
                "ids", "made-up ids at 500,000: time", .figure("wall", of: "ids"), .microseconds, goal: .atMost(10)),
            QueueRow("ids", "  CPU an enqueue", .figure("cpu", of: "ids"), .cpuMicroseconds),
        ] + throughput("large", "100,000 no-ops, 1,000 callers")

    static let groups = all.reduce(into: [String]()) { groups, row in
        if !groups.contains(row.group) { groups.append(row.group) }
    }

    /// Rate and processor time of a throughput series.
    private static func throughput(
        _ group: String, _ title: String, series: String? = nil, rate: QueueGoal? = nil, cpu: QueueGoal? = nil
    ) -> [QueueRow] {
        let series = series ?? group
        return [
            QueueRow(group, title, .figure("rate", of: series), .jobsPerSecond, goal: rate),
            QueueRow(group, "  CPU a job", .figure("cpu", of: series), .cpuMicroseconds, goal: cpu),
        ]
    }

    private static func opening(_ title: String, _ series: String, goal: Double) -> QueueRow {
        QueueRow("opening", "init + start, \(title)", .figure("wall", of: series), .milliseconds, goal: .atMost(goal))
    }

    private static func ratio(_ figure: String, _ series: String, _ reference: String) -> QueueQuantity {
        .quotient(.figure(figure, of: series), .figure(figure, of: reference))
    }

    private static func ratio(_ figure: String, _ reference: String, of series: String) -> QueueQuantity {
        .quotient(.figure(figure, of: series), .figure(reference, of: series))
    }
}
