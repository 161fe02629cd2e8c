import BackgroundWorkModel
import BackgroundWorkStorage
import BackgroundWorkSystem
import Synchronization

/// Records which claimed items have started, in a file that outlives the process: a cell of sixteen bytes each, in
/// the lock file of their owner. Other schedulers write another word of it when they have ended or paused something
/// that this one may be about to start.
///
/// A write costs a fraction of a microsecond and no sync. What a process has written is there after its death; after
/// a crash of the machine it may not be, and it is not needed then.
final class RunNotes: Sendable {
    /// In the first cell, as long as every start was recorded.
    private static let isComplete: Int64 = 0x6e6f_7465_7331_0002
    private static let wordBytes = 8
    /// An item's number, and when it was claimed.
    private static let cellBytes = 2 * wordBytes
    /// The first cell holds the mark above and that of the other schedulers.
    private static let firstCell = 1
    /// Allocated at once, so that a full disk is detected now rather than later.
    private static let initialBytes = 4096

    private let descriptor: Int32
    /// The mapped address of the first cells, for reading: the others' mark is checked before each start.
    private let page: UInt
    private let readMark = Atomic<Int64>(0)

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
    }

    deinit {
        munmap(UnsafeMutableRawPointer(bitPattern: page), Self.initialBytes)
        close(descriptor)
    }

    /// Records that an item starts. When it returns, the record survives this process.
    func begin(_ work: ClaimedWork, in cell: Int) {
        let stamp = RunStamp(work.record)
        begin(stamp, in: cell)
    }

    func begin(_ stamp: RunStamp, in cell: Int) {
        let words = (stamp.sequence, stamp.claimedAt.milliseconds)
        let offset = off_t((cell + Self.firstCell) * Self.cellBytes)
        let written = withUnsafeBytes(of: words) { pwrite(descriptor, $0.baseAddress, Self.cellBytes, offset) }
        if written == Self.cellBytes { return }
        // The cell could not be written: mark the record as incomplete. The first cell exists already.
        var incomplete: Int64 = 0
        _ = pwrite(descriptor, &incomplete, Self.wordBytes, 0)
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

    // MARK: After a death

    /// What the owner of a lock file had started; `nil` if its record does not say.
    static func read(path: String) -> Set<RunStamp>? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found: Set<RunStamp> = []
        var words = [Int64](repeating: 0, count: initialBytes / wordBytes)
        var offset: off_t = 0
        while true {
            let count = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { break }
            if offset == 0, words[0] != isComplete { return nil }
            for cell in (offset == 0 ? firstCell : 0)..<(count / cellBytes) where words[2 * cell] != 0 {
                found.insert(
                    RunStamp(sequence: words[2 * cell], claimedAt: WallTime(milliseconds: words[2 * cell + 1])))
            }
            offset += off_t(count)
        }
        return offset == 0 ? nil : found
    }
}
