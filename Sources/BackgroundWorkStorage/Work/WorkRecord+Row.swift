import BackgroundWorkFiles
import BackgroundWorkModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WorkRecord {
    static let columns = """
        seq, id, chain, step, position, worker, input, idempotent, retry_policy, state, priority, due, generation, \
        attempt, deaths, owner, message, output, move, enqueued_at, finished_at, lane, flags, options, trigger, \
        planned, occurrence, started_at, triggered_at, checkpoint, progress
        """

    init(_ row: borrowing SQLiteRow) {
        sequence = row.int(0)
        id = row.text(1)
        chainID = row.optionalText(2)
        stepIndex = Int(row.int(3))
        position = Int(row.int(4))
        workerName = row.text(5)
        inputJSON = row.optionalText(6)
        isIdempotent = row.int(7) != 0
        retryPolicy = row.optionalText(8).flatMap(StoredJSON.decode) ?? .exponential()
        status = WorkStatus(
            state: WorkState(rawValue: Int(row.int(9))) ?? .failed, generation: row.int(12),
            attempt: Int(row.int(13)), deaths: Int(row.int(14)))
        priority = WorkPriority(rawValue: Int(row.int(10))) ?? .normal
        due = WallTime(milliseconds: row.int(11))
        owner = row.optionalInt(15)
        message = row.optionalText(16)
        outputJSON = row.optionalText(17)
        move = row.optionalText(18).flatMap { try? JSONCoding.value(FileMove.self, from: $0) }
        enqueuedAt = WallTime(milliseconds: row.int(19))
        finishedAt = row.optionalInt(20).map(WallTime.init(milliseconds:))
        laneNumber = row.int(21)
        flags = WorkFlags(rawValue: Int(row.int(22)))
        options = row.optionalText(23).flatMap(StoredJSON.decode) ?? WorkOptions()
        trigger = row.optionalText(24).flatMap(StoredJSON.decode)
        planned = row.optionalInt(25).map(WallTime.init(milliseconds:))
        occurrence = Int(row.int(26))
        startedAt = row.optionalInt(27).map(WallTime.init(milliseconds:))
        triggeredAt = row.optionalInt(28).map(WallTime.init(milliseconds:))
        checkpoint = row.optionalText(29)
        progress = row.optionalText(30).flatMap(StoredJSON.decode)
    }
}
