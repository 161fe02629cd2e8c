import BackgroundWorkSystem
import Dispatch
import Synchronization
import Testing

@Suite("Dispatch sources of Apple's platforms")
struct DispatchSourceTests {
    @Test("a changed file is reported with what happened to it")
    func fileEvents() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a", "1")
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor, eventMask: [.write, .extend, .rename, .delete],
            queue: DispatchQueue(label: "test"))
        #expect(source.handle == descriptor)
        let (events, continuation) = AsyncStream.makeStream(of: DispatchSource.FileSystemEvent.self)
        source.setEventHandler { continuation.yield(source.data) }
        source.setCancelHandler {
            close(descriptor)
            continuation.finish()
        }
        source.resume()
        var iterator = events.makeAsyncIterator()

        let writer = open(path, O_WRONLY | O_APPEND)
        var byte: UInt8 = 0
        try #require(write(writer, &byte, 1) == 1)
        close(writer)
        #expect(await iterator.next() == [.write, .extend])
        try #require(rename(path, folder.path + "/b") == 0)
        #expect(await iterator.next() == .rename)
        try #require(unlink(folder.path + "/b") == 0)
        #expect(await iterator.next() == .delete)
        source.cancel()
        #expect(await iterator.next() == nil)
        #expect(source.isCancelled)
        #expect(fsync(descriptor) == -1)
    }

    @Test("a new entry of a folder is a write")
    func folderEvents() async throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.path, O_EVTONLY | O_CLOEXEC)
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor, eventMask: .write, queue: DispatchQueue(label: "test"))
        let (events, continuation) = AsyncStream.makeStream(of: DispatchSource.FileSystemEvent.self)
        source.setEventHandler { continuation.yield(source.data) }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        _ = folder.file("a", "")
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .write)
        source.cancel()
    }

    @Test("the end of a process is reported once, also if it has ended before")
    func processEnds() async throws {
        var pid: pid_t = 0
        let code = spawn("sleep", ["1000"], &pid)
        try #require(code == 0)
        let first = source(of: pid)
        kill(pid, SIGKILL)
        await first.value
        var status: Int32 = 0
        #expect(waitpid(pid, &status, 0) == pid)
        // It no longer exists.
        await source(of: pid).value
    }

    private func source(of pid: pid_t) -> Task<Void, Never> {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeProcessSource(
            identifier: pid, eventMask: .exit, queue: DispatchQueue(label: "test"))
        source.setEventHandler {
            #expect(source.data == .exit)
            continuation.yield()
        }
        source.resume()
        return Task {
            for await _ in events { break }
            source.cancel()
        }
    }
}
