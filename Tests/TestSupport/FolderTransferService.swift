import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import Synchronization

/// A daemon that is a folder: what it has been asked survives the process, and every transfer ends at once, by default
/// with the bytes given. For tests of the steps before and after a transfer.
package final class FolderTransferService: TransferService {
    package struct Record: Codable, Sendable {
        package var specification: TransferSpecification
        package var task: Int64
        package var outcome: TransferOutcome?
    }

    package let capabilities: TransferCapabilities
    private let folder: String
    private let end: @Sendable (TransferSpecification, TransferOutcome) throws -> TransferOutcome
    private let receiver = Mutex<(any TransferReceiver)?>(nil)
    private let lock = Mutex(())

    /// - Parameter end: makes of the outcome that a transfer would have the one that it has.
    package init(
        folder: String, capabilities: TransferCapabilities = .all,
        end: @escaping @Sendable (TransferSpecification, TransferOutcome) throws -> TransferOutcome = { $1 }
    ) throws {
        self.capabilities = capabilities
        self.folder = folder
        self.end = end
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// What has been reserved and not been forgotten.
    package var records: [Record] { lock.withLock { _ in load() } }

    package static func content(of task: Int64) -> [UInt8] { Array("the file of transfer \(task)".utf8) }

    package func reserve(_ specification: TransferSpecification) async throws -> Int64 {
        try change { records in
            if let known = records.first(where: { $0.specification.reference == specification.reference }) {
                guard known.specification == specification else {
                    throw AgentFailure(code: .conflict, message: "it is reserved with another specification")
                }
                return known.task
            }
            let task = (records.map(\.task).max() ?? 0) + 1
            records.append(Record(specification: specification, task: task))
            return task
        }
    }

    package func resume(_ reference: TransferReference) async throws {
        let outcome = try change { records -> TransferOutcome? in
            guard let index = records.firstIndex(where: { $0.specification.reference == reference }) else {
                throw AgentFailure(code: .unknownTransfer, message: "it was never reserved")
            }
            guard records[index].outcome == nil else { return nil }
            records[index].outcome = try self.outcome(of: records[index])
            return records[index].outcome
        }
        if let outcome { receiver.withLock { $0 }?.receive(outcome) }
    }

    private func outcome(of record: Record) throws -> TransferOutcome {
        let specification = record.specification
        var details = TransferDetails()
        details.durationMs = 12
        details.headers = ["etag": "\"1\""]
        let result: TransferOutcome.Result
        switch specification.job {
        case .download(let job):
            details.add(job, under: specification.securityPolicy)
            if job.savesIntoFolder { details.suggestedName = "suggested.bin" }
            let staged = folder + "/\(record.task).part"
            let content = Self.content(of: record.task)
            try Data(content).write(to: URL(filePath: staged))
            result = .delivered(
                stagingPath: staged, bytes: Int64(content.count), statusCode: 200, finalURL: specification.url)
        case .upload(let job):
            details.responseBody = "thank you"
            result = .uploaded(bytes: job.source.bytes, statusCode: 201, finalURL: specification.url)
        }
        return try end(
            specification,
            TransferOutcome(
                reference: specification.reference, sessionIdentifier: specification.sessionIdentifier,
                taskIdentifier: record.task, savePath: specification.savePath, workerName: specification.workerName,
                result: result, details: details))
    }

    package func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws {}

    package func cancel(_ references: [TransferReference]) async throws { try references.forEach(forget) }

    package func acknowledge(_ reference: TransferReference) async throws { try forget(reference) }

    private func forget(_ reference: TransferReference) throws {
        try change { records in
            for record in records where record.specification.reference == reference {
                try? FileManager.default.removeItem(atPath: folder + "/\(record.task).part")
            }
            records.removeAll { $0.specification.reference == reference }
        }
    }

    package func transfers() async throws -> [TransferSnapshot] {
        records.map { record in
            TransferSnapshot(
                reference: record.specification.reference, sessionIdentifier: record.specification.sessionIdentifier,
                taskIdentifier: record.task, state: record.outcome == nil ? .reserved : .finished, receivedBytes: 0,
                totalBytes: nil)
        }
    }

    package func receive(with receiver: any TransferReceiver, immediately: Bool) async {
        self.receiver.withLock { $0 = receiver }
        await receiver.connected(epoch: "folder", transfers: (try? await transfers()) ?? [])
        for outcome in records.compactMap(\.outcome) { receiver.receive(outcome) }
        await receiver.caughtUp()
    }

    package func disconnect() async { receiver.withLock { $0 = nil } }

    private func change<Value>(_ body: (inout [Record]) throws -> Value) throws -> Value {
        try lock.withLock { _ in
            var records = load()
            let value = try body(&records)
            try JSONEncoder().encode(records).write(to: URL(filePath: folder + "/records.json"), options: .atomic)
            return value
        }
    }

    private func load() -> [Record] {
        guard let data = FileManager.default.contents(atPath: folder + "/records.json") else { return [] }
        return (try? JSONDecoder().decode([Record].self, from: data)) ?? []
    }
}
