#if os(Linux)
import BackgroundWorkTransfers

/// More than one connection for a file.
extension DownloadWork {
    func afterTurn() {
        for stream in streams {
            do throws(SystemCallError) {
                try store(stream)
            } catch {
                stream.exchange.breakOff(.disk(error, url))
                context.exchanges.breakOff(stream.exchange)
            }
        }
        guard wantsConnections else { return }
        wantsConnections = false
        switch job.connections {
        case .fixed(let count): splitAtOnce(into: count)
        case .adaptive: scheduleSample(from: bytes)
        }
    }

    private func splitAtOnce(into count: Int) {
        guard let first = becomeTable() else { return }
        table?.split(into: count)
        first.segment = 0
        addConnections { table.map { Array($0.segments.indices.dropFirst()) } ?? [] }
    }

    /// The one connection becomes that of the table's first part.
    private func becomeTable() -> DownloadStream? {
        guard table == nil, streams.count == 1, let first = streams.first, let total = entity?.total else { return nil }
        table = SegmentTable(total: total, received: written)
        return first
    }

    /// Records the parts, then begins a connection for each that `parts` names. What cannot be begun is left to the
    /// others and to later attempts.
    private func addConnections(_ parts: () -> [Int]) {
        do {
            try recordTable()
            for index in parts() { try begin(segment: index) }
        } catch {
            AgentLog.write("\(name): no further connection: \(error)")
            growth = ConnectionGrowth(maximum: 1)
        }
    }

    private func scheduleSample(from bytesBefore: Int64) {
        guard !growth.isSettled else { return }
        let start = SuspendingClock.now
        context.timers.set(
            .sample(task: task), at: start + .seconds(ConnectionGrowth.sampleSeconds)
        ) { [weak self] in self?.sample(bytesBefore: bytesBefore, since: start) }
    }

    private func sample(bytesBefore: Int64, since start: SuspendingClock.Instant) {
        guard !streams.isEmpty, let total = entity?.total else { return }
        let seconds = (SuspendingClock.now - start) / .seconds(1)
        let wantsAnother = growth.wantsAnother(
            connections: streams.count, bytesPerSecond: Double(bytes - bytesBefore) / max(seconds, 0.001),
            bytesLeft: total - bytes)
        if wantsAnother { addOne() }
        scheduleSample(from: bytes)
    }

    private func addOne() {
        if table == nil {
            guard let first = becomeTable() else { return }
            first.segment = 0
        }
        guard let part = idleSegment() ?? table?.split() else { return }
        addConnections { [part] }
    }
}
#endif
