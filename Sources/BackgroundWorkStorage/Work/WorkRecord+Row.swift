import BackgroundWorkFiles
import BackgroundWorkModel

extension WorkRecord {
    /// Of the view `items`.
    static let columns = """
        seq, id, chain, chain_seq, step, position, lane, priority, flags, input, extras, enqueued_at, generation, \
        attempt, deaths, due, owner, message, output, move, hand_off_expires, finished_at, occurrence, planned, \
        started_at, triggered_at, checkpoint, progress, is_carried, state
        """

    init(_ row: borrowing SQLiteRow, _ lanes: LaneTable) throws {
        let extras = (try? WorkExtras(stored: row.optionalText(10))) ?? WorkExtras()
        sequence = row.int(0)
        id = row.text(1)
        chainID = row.optionalText(2)
        chainSequence = row.optionalInt(3)
        stepIndex = Int(row.int(4))
        position = Int(row.int(5))
        laneNumber = row.int(6)
        workerName = try lanes.lane(laneNumber).worker
        inputJSON = row.optionalText(9)
        retryPolicy = extras.retryPolicy ?? .exponential()
        let state = WorkState(rawValue: Int(row.int(29))) ?? .failed
        status = WorkStatus(
            state: state, generation: row.int(12), attempt: Int(row.int(13)), deaths: Int(row.int(14)))
        priority = WorkPriority(rawValue: Int(row.int(7))) ?? .normal
        due = WallTime(milliseconds: row.int(15))
        owner = row.optionalInt(16)
        message = row.optionalText(17)
        outputJSON = row.optionalText(18)
        move = row.optionalText(19).flatMap { try? JSONCoding.value(FileMove.self, from: $0) }
        handOffExpires = row.optionalInt(20).map(WallTime.init(milliseconds:))
        enqueuedAt = WallTime(milliseconds: row.int(11))
        finishedAt = state.isFinished ? row.optionalInt(21).map(WallTime.init(milliseconds:)) : nil
        flags = WorkFlags(rawValue: Int(row.int(8)))
        options = extras.options
        trigger = extras.trigger
        planned = row.optionalInt(23).map(WallTime.init(milliseconds:)) ?? extras.planned
        occurrence = Int(row.int(22))
        startedAt = row.optionalInt(24).map(WallTime.init(milliseconds:))
        triggeredAt = row.optionalInt(25).map(WallTime.init(milliseconds:))
        checkpoint = row.optionalText(26)
        progress = row.optionalText(27).flatMap(StoredJSON.decode)
        isCarried = row.int(28) != 0
    }
}
