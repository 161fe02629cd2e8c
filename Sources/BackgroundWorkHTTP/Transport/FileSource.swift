import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// A body that is read from a file, ahead of what is sent, on a queue of its own.
final class FileSource: BodySource {
    private static let pieceBytes = 256 << 10

    /// The file from one position on.
    private final class Reading: Sendable {
        let pieces = PieceQueue()
        let offset: Mutex<Int64>
        init(from offset: Int64) { self.offset = Mutex(offset) }
    }

    private struct State: Sendable {
        var reading = Reading(from: 0)
        var arrived: @Sendable () -> Void = {}
        var isCancelled = false
    }

    private let descriptor: Int32
    private let bytes: Int64
    let path: String
    private let url: TransferURL
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private init(descriptor: Int32, bytes: Int64, path: String, url: TransferURL, queue: DispatchQueue) {
        (self.descriptor, self.bytes, self.path, self.url, self.queue) = (descriptor, bytes, path, url, queue)
    }

    deinit { close(descriptor) }

    /// Opens a regular file. Throws an ``HTTPError`` of the kind `disk` that says why not.
    static func open(_ path: String, for url: TransferURL, policy: SecurityPolicy) async throws -> FileSource {
        let rules = FileRules(policy)
        try rules.check(path, for: url)
        let queue = DispatchQueue(label: "BackgroundWork.HTTP.FileSource")
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try opened(path, url, rules, queue) }) }
        }
    }

    private static func opened(
        _ path: String, _ url: TransferURL, _ rules: FileRules, _ queue: DispatchQueue
    ) throws -> FileSource {
        let descriptor: Int32
        do { descriptor = try rules.openForReading(path) } catch { throw HTTPError(fileError: error, url) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HTTPError.disk(
                FileError(action: "send, because it is not a regular file,", path: path, code: EINVAL), url)
        }
        return FileSource(descriptor: descriptor, bytes: Int64(status.st_size), path: path, url: url, queue: queue)
    }

    var length: Int64? { bytes }

    func begin(arrived: @escaping @Sendable () -> Void) {
        let reading = state.withLock { state in
            state.arrived = arrived
            return state.reading
        }
        begin(reading, arrived)
    }

    private func begin(_ reading: Reading, _ arrived: @escaping @Sendable () -> Void) {
        reading.pieces.begin(arrived: arrived)
        readOn(reading)
    }

    private func readOn(_ reading: Reading) {
        queue.async { [self] in
            if reading.pieces.isCancelled { return }
            let offset = reading.offset.withLock { $0 }
            guard offset < bytes else { return reading.pieces.end(.success(())) }
            let wanted = Int(min(Int64(Self.pieceBytes), bytes - offset))
            var piece = Data(count: wanted)
            let count = piece.withUnsafeMutableBytes { space in
                SystemCall.repeated { pread(descriptor, space.baseAddress, wanted, off_t(offset)) }
            }
            guard count > 0 else {
                let error =
                    count < 0
                    ? HTTPError.disk(FileError(action: "read", path: path, code: errno), url)
                    : HTTPError(
                        kind: .disk,
                        message: "\(url.label): \(path) has become shorter while it was sent. Send it again.",
                        isRetryable: false)
                return reading.pieces.end(.failure(error))
            }
            reading.offset.withLock { $0 += Int64(count) }
            reading.pieces.add(piece.prefix(count)) { [weak self] in self?.readOn(reading) }
        }
    }

    func take(into space: UnsafeMutableRawBufferPointer) -> BodyPiece {
        state.withLock { $0.reading }.pieces.take(into: space)
    }

    func rewind(to offset: Int64) -> Bool {
        guard (0...bytes).contains(offset) else { return false }
        let reading = Reading(from: offset)
        let former = state.withLock { state -> (Reading, @Sendable () -> Void)? in
            if state.isCancelled { return nil }
            defer { state.reading = reading }
            return (state.reading, state.arrived)
        }
        guard let (former, arrived) = former else { return false }
        former.pieces.cancel()
        begin(reading, arrived)
        return true
    }

    func cancel() {
        let reading = state.withLock { state in
            state.arrived = {}
            state.isCancelled = true
            return state.reading
        }
        reading.pieces.cancel()
    }
}
