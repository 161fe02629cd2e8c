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
        guard let first = onlyStream, var parts = firstTable else { return }
        parts.split(into: count)
        guard parts.segments.count > 1, divide(into: parts) else { return }
        first.segment = 0
        begin(parts: Array(parts.segments.indices.dropFirst()))
    }

    private var onlyStream: DownloadStream? { table == nil && streams.count == 1 ? streams.first : nil }

    /// The whole file as one part, of which the one connection has brought the beginning.
    private var firstTable: SegmentTable? {
        (entity?.total).map { SegmentTable(total: $0, received: written) }
    }

    /// Cuts the file into these parts, which are on record then. If they cannot be, all stays as it was, and no other
    /// connection is tried: a part without its mark would leave a hole that nobody knows of.
    func divide(into parts: SegmentTable) -> Bool {
        do throws(SystemCallError) {
            try record(parts)
            return true
        } catch {
            AgentLog.write("\(name): no further connection: \(error)")
            growth = ConnectionGrowth(maximum: 1)
            return false
        }
    }

    /// Begins a connection for each of the parts. What cannot be begun is left to the others and to later attempts.
    private func begin(parts: [Int]) {
        do throws(TransferFailure) {
            for index in parts { try begin(segment: index) }
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
        if let idle = idleSegment() { return begin(parts: [idle]) }
        guard var parts = table ?? firstTable, let added = parts.split() else { return }
        let first = onlyStream
        guard divide(into: parts) else { return }
        first?.segment = 0
        begin(parts: [added])
    }
}
#endif
