import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch
import Synchronization

/// Writes a response's body to a file beside its target, on a queue of its own, and puts it in place when it is complete.
/// The body of a response that is none of success is collected instead, as far as it is short.
final class FileSink: ResponseSink {
    private static let bufferBytes = 256 << 10
    /// How many full buffers may wait for the disk before the server has to.
    private static let mostWaiting = 8
    private static let longestFailure = 1 << 20

    private struct State: Sendable {
        var head: HTTPResponseHead?
        /// What is collected.
        var body = Data()
        var filling: Buffer?
        var spare: [Buffer] = []
        /// How many full buffers wait for the disk.
        var waiting = 0
        var proceed: (@Sendable () -> Void)?
        var error: HTTPError?
        /// Whether nothing is written any more.
        var isOver = false
    }

    private let path: String
    private let rules: FileRules
    private let temporary: String
    private let url: TransferURL
    private let queue: DispatchQueue
    private let state = Mutex(State())
    /// On the queue only.
    private let file = Mutex(OpenFile())

    private struct OpenFile: Sendable {
        var folder: TargetFolder?
        /// Of the temporary.
        var descriptor: Int32 = -1
        /// Whether the temporary has a name already.
        var isNamed = false
    }
    private let ending = FirstAnswer<Result<HTTPResponse, any Error>>()

    /// Throws an ``HTTPError`` when the policy does not allow the path.
    ///
    /// - Parameter queue: where it writes.
    init(
        path: String, url: TransferURL, policy: SecurityPolicy,
        queue: DispatchQueue = DispatchQueue(label: "BackgroundWork.HTTP.FileSink")
    ) throws(HTTPError) {
        self.url = url
        self.queue = queue
        rules = FileRules(policy)
        try rules.check(path, for: url)
        self.path = FileRules.normalized(path)
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        temporary = "." + DurableFile.name(of: self.path).prefix(40) + ".bgwork-" + random
    }

    /// The whole response, without the body that is in the file. Call it once.
    func response() async throws -> HTTPResponse { try await ending.wait().get() }

    func receive(_ head: HTTPResponseHead) { state.withLock { $0.head = head } }

    func receive(_ bytes: UnsafeRawBufferPointer, proceed: @escaping @Sendable () -> Void) throws(HTTPError) -> Bool {
        let (full, hasRoom, error) = state.withLock { state -> ([Buffer], Bool, HTTPError?) in
            if let error = state.error { return ([], false, error) }
            if state.isOver { return ([], false, nil) }
            guard state.head?.isSuccess == true else {
                state.body.append(contentsOf: bytes.prefix(max(0, Self.longestFailure - state.body.count)))
                return ([], true, nil)
            }
            var full: [Buffer] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let buffer = state.filling ?? state.spare.popLast() ?? Buffer(bytes: Self.bufferBytes)
                state.filling = buffer
                rest = rest.dropFirst(buffer.append(UnsafeRawBufferPointer(rebasing: rest)))
                if buffer.isFull {
                    full.append(buffer)
                    state.filling = nil
                }
            }
            state.waiting += full.count
            let hasRoom = state.waiting < Self.mostWaiting
            if !hasRoom { state.proceed = proceed }
            return (full, hasRoom, nil)
        }
        if let error { throw error }
        for buffer in full { write(buffer) }
        return hasRoom
    }

    private func write(_ buffer: Buffer) {
        queue.async { [self] in
            let error = written(buffer)
            buffer.clear()
            let proceed = state.withLock { state in
                if let error, state.error == nil { state.error = error }
                state.spare.append(buffer)
                state.waiting -= 1
                defer { state.proceed = nil }
                return state.proceed
            }
            proceed?()
        }
    }

    /// On the queue.
    private func written(_ buffer: Buffer) -> HTTPError? {
        let (failure, isOver) = state.withLock { ($0.error, $0.isOver) }
        if isOver { return nil }
        if let failure { return failure }
        do {
            let descriptor = try opened()
            try buffer.withBytes { try DurableFile.write($0, to: descriptor, path: path) }
            return nil
        } catch {
            return HTTPError(fileError: error, url)
        }
    }

    /// The temporary, on the queue.
    private func opened() throws(HTTPError) -> Int32 {
        let open = file.withLock { $0.descriptor }
        if open >= 0 { return open }
        do {
            let folder = try rules.openFolder(DurableFile.folder(of: path), creating: true)
            try folder.refuseSpecialFile(at: DurableFile.name(of: path))
            // A file without a name is gone when the process dies.
            let unnamed = folder.createUnnamed()
            let descriptor = try unnamed ?? folder.create(temporary)
            file.withLock { $0 = OpenFile(folder: folder, descriptor: descriptor, isNamed: unnamed == nil) }
            return descriptor
        } catch {
            throw HTTPError(fileError: error, url)
        }
    }

    func end(_ error: (any Error)?) {
        let (head, body, last) = state.withLock { state in
            defer { (state.filling, state.proceed) = (nil, nil) }
            if error != nil { state.isOver = true }
            return (state.head, state.body, state.filling)
        }
        // Who has cancelled does not wait for the disk.
        if error is CancellationError { ending.give(.failure(CancellationError())) }
        queue.async { [self] in
            let result = Result { try concluded(head, body, last, error) }
            if case .failure = result { discard() }
            ending.give(result)
        }
    }

    private func concluded(
        _ head: HTTPResponseHead?, _ body: Data, _ last: Buffer?, _ error: (any Error)?
    ) throws -> HTTPResponse {
        if let error { throw error }
        guard let head else { throw CancellationError() }
        guard head.isSuccess else { return HTTPResponse(head: head, body: body) }
        if let last, let error = written(last) { throw error }
        if let error = state.withLock({ $0.error }) { throw error }
        let descriptor = try opened()
        let folder = file.withLock { $0.folder }
        if file.withLock({ !$0.isNamed }) {
            do { try folder?.name(descriptor, temporary) } catch { throw HTTPError(fileError: error, url) }
        }
        file.withLock { ($0.descriptor, $0.isNamed) = (-1, true) }
        // The disk may say only now that a quota is used up.
        guard close(descriptor) == 0 || errno == EINTR else {
            throw HTTPError.disk(FileError(action: "write to", path: path, code: errno), url)
        }
        do {
            try folder?.rename(temporary, to: DurableFile.name(of: path))
        } catch {
            throw HTTPError(fileError: error, url)
        }
        return HTTPResponse(head: head, body: Data())
    }

    /// On the queue.
    private func discard() {
        let open = file.withLock { file in
            defer { file = OpenFile() }
            return file
        }
        if open.descriptor >= 0 { close(open.descriptor) }
        if open.isNamed { open.folder?.remove(temporary) }
    }

    /// Bytes that wait for the disk, at most `size`.
    private final class Buffer: Sendable {
        private let content = Mutex<[UInt8]>([])
        private let size: Int

        init(bytes size: Int) {
            self.size = size
            content.withLock { $0.reserveCapacity(size) }
        }

        var isFull: Bool { content.withLock { $0.count == size } }

        /// Takes as many bytes as there is room for, and returns how many.
        func append(_ bytes: UnsafeRawBufferPointer) -> Int {
            content.withLock { content in
                let count = min(bytes.count, size - content.count)
                content.append(contentsOf: bytes.prefix(count))
                return count
            }
        }

        func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
            try content.withLock { content in try content.withUnsafeBytes { try body($0) } }
        }

        func clear() { content.withLock { $0.removeAll(keepingCapacity: true) } }
    }
}
