import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// A body that is read from a file, ahead of what is sent, on a queue of its own.
final class FileSource: BodySource {
    private static let pieceBytes = 256 << 10

    /// The body from one position on.
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

    private let file: SourceFile
    /// What goes around the file's bytes; `nil` where they are all, and a file may grow.
    private let frame: MultipartForm?
    private let queue = DispatchQueue(label: "BackgroundWork.HTTP.FileSource")
    private let state = Mutex(State())

    private init(_ file: SourceFile, _ frame: MultipartForm?) { (self.file, self.frame) = (file, frame) }

    /// The whole file. Throws as ``SourceFile/open(_:for:policy:)`` does.
    static func open(_ path: String, for url: TransferURL, policy: SecurityPolicy) async throws -> FileSource {
        FileSource(try await SourceFile.open(path, for: url, policy: policy), nil)
    }

    /// The file in its form. Throws as ``SourceFile/open(_:for:policy:)`` does.
    static func open(_ form: HTTPForm, for url: TransferURL, policy: SecurityPolicy) async throws -> FileSource {
        let file =
            if let open = form.file { open } else { try await SourceFile.open(form.filePath, for: url, policy: policy) }
        return FileSource(file, form.frame)
    }

    /// The file's path, if its bytes are the body.
    var path: String? { frame == nil ? file.path : nil }

    private var bytes: Int64 { file.bytes + Int64((frame?.head.count ?? 0) + (frame?.tail.count ?? 0)) }
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
            do throws(HTTPError) {
                let piece = try piece(at: offset)
                reading.offset.withLock { $0 += Int64(piece.count) }
                reading.pieces.add(piece) { [weak self] in self?.readOn(reading) }
            } catch {
                reading.pieces.end(.failure(error))
            }
        }
    }

    /// The next bytes of the body, at least one.
    private func piece(at offset: Int64) throws(HTTPError) -> Data {
        let head = frame?.head ?? []
        let inFile = offset - Int64(head.count)
        if inFile < 0 { return Data(head[Int(offset)...]) }
        if inFile < file.bytes {
            return try file.read(at: inFile, atMost: Int(min(Int64(Self.pieceBytes), file.bytes - inFile)))
        }
        try file.checkUnchanged()
        return Data((frame?.tail ?? [])[Int(inFile - file.bytes)...])
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
