import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import Synchronization

/// Records which claimed items have started, in a file that outlives the process: a cell of sixteen bytes each, in
/// the lock file of their owner. Other schedulers write another word of it when they have ended or paused something
/// that this one may be about to start. A third word is written when the process exits.
///
/// A write costs a fraction of a microsecond and no sync. What a process has written is there after its death; after
/// a crash of the machine it may not be, and it is not needed then.
final class RunNotes: Sendable {
    /// In the first cell, as long as every start was recorded.
    private static let isComplete: Int64 = 0x6e6f_7465_7331_0003
    /// In the second cell, when the process has exited.
    private static let hasExited: Int64 = 0x6578_6974_6564_0001
    private static let wordBytes = 8
    /// An item's number, negative as long as the worker of work that must not run twice has not been called; and when it
    /// was claimed.
    private static let cellBytes = 2 * wordBytes
    /// The first cell holds the first mark above and that of the other schedulers, the second one those of an exit and of a
    /// suspension.
    private static let firstCell = 2
    private static let exitOffset = 2 * wordBytes
    /// Beside it, the process, while it has let its lock go because it may be suspended.
    private static let suspensionOffset = 3 * wordBytes
    /// Allocated at once, so that a full disk is detected now rather than later.
    private static let initialBytes = 4096

    private let descriptor: Int32
    /// The mapped address of the first cells, for reading: the others' mark is checked before each start.
    private let page: UInt
    private let readMark = Atomic<Int64>(0)
    private let registration: ExitMarks.Registration?

    /// - Parameter path: of the lock file. `nil` when it cannot be written: then nothing is known of this owner's
    ///   runs.
    init?(path: String) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var cells = [Int64](repeating: 0, count: Self.initialBytes / Self.wordBytes)
        cells[0] = Self.isComplete
        let written = cells.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == Self.initialBytes else {
            close(descriptor)
            return nil
        }
        let mapped = mmap(nil, Self.initialBytes, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        page = UInt(bitPattern: mapped)
        registration = ExitMarks.register(descriptor)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(bitPattern: page), Self.initialBytes)
        if registration.map({ ExitMarks.withdraw($0, descriptor) }) ?? true { close(descriptor) }
    }

    /// Records that an item starts. When it returns, the record survives this process.
    func begin(_ work: ClaimedWork, in cell: Int) {
        begin(RunStamp(work.record), isCalled: work.record.isIdempotent, in: cell)
    }

    /// - Parameter isCalled: false if ``workerIsCalled(_:in:)`` follows.
    func begin(_ stamp: RunStamp, isCalled: Bool = true, in cell: Int) {
        write((isCalled ? stamp.sequence : -stamp.sequence, stamp.claimedAt.milliseconds), in: cell)
    }

    /// Records that the worker of an item that has begun is called next.
    func workerIsCalled(_ stamp: RunStamp, in cell: Int) { write(stamp.sequence, in: cell) }

    /// Writes the beginning of a cell, or all of it.
    private func write<Words: BitwiseCopyable>(_ words: Words, in cell: Int) {
        let offset = off_t((cell + Self.firstCell) * Self.cellBytes)
        let isWritten = withUnsafeBytes(of: words) { pwrite(descriptor, $0.baseAddress, $0.count, offset) == $0.count }
        if isWritten { return }
        // The cell could not be written: mark the record as incomplete. The first cell exists already.
        var incomplete: Int64 = 0
        _ = pwrite(descriptor, &incomplete, Self.wordBytes, 0)
    }

    // MARK: The end of the process

    /// Records that the process exits: its work is not the cause of its end.
    func markExit() { Self.markExit(descriptor) }

    /// The same, for a handler of atexit(3): one system call and nothing else.
    static func markExit(_ descriptor: Int32) {
        var mark = hasExited
        _ = pwrite(descriptor, &mark, wordBytes, off_t(exitOffset))
    }

    // MARK: Suspension

    /// Records whether the process has let its lock go because it may be suspended. Throws when others could not read
    /// that.
    func markSuspension(_ isSuspended: Bool, boot: String) throws {
        var mark = isSuspended ? Self.suspensionMark(getpid(), boot: boot) : 0
        guard pwrite(descriptor, &mark, Self.wordBytes, off_t(Self.suspensionOffset)) == Self.wordBytes else {
            throw FileError(action: "write", path: "the scheduler's lock file", code: errno)
        }
    }

    /// A process, by its number in a boot of the machine.
    private static func suspensionMark(_ process: Int32, boot: String) -> Int64 {
        // FNV-1a.
        let digest = boot.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Int64(Int32(bitPattern: digest)) << 32 | Int64(process)
    }

    /// Whether the owner of a lock file, which is free, is there all the same, and has let it go because its process may
    /// be suspended.
    static func isSuspended(path: String, boot: String) -> Bool {
        guard let process = suspendedProcess(path: path, boot: boot) else { return false }
        // Without a FIFO the number of the process must do. One that may not be signaled is there.
        return LifeSign.isShown(at: PeerNotifier.path(path)) ?? (kill(process, 0) == 0 || errno == EPERM)
    }

    private static func suspendedProcess(path: String, boot: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var mark: Int64 = 0
        guard pread(descriptor, &mark, wordBytes, off_t(suspensionOffset)) == wordBytes, mark != 0 else { return nil }
        let process = Int32(truncatingIfNeeded: mark)
        return process > 0 && mark == suspensionMark(process, boot: boot) ? process : nil
    }

    // MARK: Stops by other schedulers

    /// Tells the owner of a lock file that something it may have claimed was ended or paused. Once this has returned,
    /// the owner starts nothing before it has read the change.
    static func markStop(path: String) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var mark = Int64.random(in: 1...Int64.max)
        _ = pwrite(descriptor, &mark, wordBytes, off_t(wordBytes))
    }

    /// The newest mark written by others, for ``stopsAreRead(upTo:)``.
    var stopMark: Int64 {
        UnsafeRawPointer(bitPattern: page)?.load(fromByteOffset: Self.wordBytes, as: Int64.self) ?? 0
    }

    /// Everything that others had stopped up to this mark has been read.
    func stopsAreRead(upTo mark: Int64) { readMark.store(mark, ordering: .releasing) }

    /// Whether others have stopped something that has not been read.
    var hasUnreadStops: Bool { stopMark != readMark.load(ordering: .acquiring) }

    // MARK: After the end

    /// How the owner of a lock file ended, and what it had started, as far as the file says. Its lock must be free: a
    /// process that exits may still write.
    static func read(path: String) -> OwnerEnd {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return OwnerEnd(.killed, nil) }
        defer { close(descriptor) }
        var end = OwnerEnd(.killed, nil)
        var runs = OwnerEnd.Runs([])
        var words = [Int64](repeating: 0, count: initialBytes / wordBytes)
        var offset: off_t = 0
        while true {
            let count = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { break }
            if offset == 0 {
                if words[exitOffset / wordBytes] == hasExited { end.cause = .exited }
                if words[0] != isComplete { return end }
                // A suspended process was ended by the system.
                if words[suspensionOffset / wordBytes] != 0 { end.cause = .exited }
            }
            for cell in (offset == 0 ? firstCell : 0)..<(count / cellBytes) where words[2 * cell] != 0 {
                let (number, claimedAt) = (words[2 * cell], WallTime(milliseconds: words[2 * cell + 1]))
                let stamp = RunStamp(sequence: Int64(clamping: number.magnitude), claimedAt: claimedAt)
                runs.started.insert(stamp)
                if number < 0 { runs.notCalled.insert(stamp) }
            }
            offset += off_t(count)
        }
        if offset > 0 { end.runs = runs }
        return end
    }
}
