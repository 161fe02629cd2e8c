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

    /// The whole file as one part, whose beginning the single connection has received.
    private var firstTable: SegmentTable? {
        (entity?.total).map { SegmentTable(total: $0, received: written) }
    }

    /// Divides the file into these parts and records them. If they cannot be recorded, nothing changes and no other
    /// connection is opened: a part without its mark would leave an unknown hole in the file.
    func divide(into parts: SegmentTable) -> Bool {
        do throws(SystemCallError) {
            try record(parts)
            return true
        } catch {
            AgentLog.write("\(name): could not open another connection: \(error)")
            growth = ConnectionGrowth(maximum: 1)
            return false
        }
    }

    /// Starts a connection for each of the parts. Parts whose connection cannot be started are left to the other
    /// connections and to later attempts.
    private func begin(parts: [Int]) {
        do throws(TransferFailure) {
            for index in parts { try begin(segment: index) }
        } catch {
            AgentLog.write("\(name): could not open another connection: \(error)")
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
