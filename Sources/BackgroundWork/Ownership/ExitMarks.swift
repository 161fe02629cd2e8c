import BackgroundWorkSystem
import Synchronization

/// Marks the notes of this process's schedulers when the process exits: by `exit`, or by a return from `main`. So others
/// can tell that from a death, which its work may have caused.
///
/// The mark is written by a handler of atexit(3), which runs while other threads of the process go on. So the handler
/// takes no lock and allocates nothing: it reads a table of fixed size and calls pwrite(2).
enum ExitMarks {
    /// Stands for one scheduler's notes in the table.
    struct Registration: Sendable { fileprivate var slot: Int }

    /// A scheduler beyond this number gets no mark, and an exit counts as a death of its work.
    private static let capacity = 1024
    private static let free: UInt64 = 0
    /// The handler has this slot's descriptor, which must stay open.
    private static let taken = UInt64.max

    /// The address of the table. A used slot holds the process that has registered, and the descriptor of its notes: a
    /// child process after fork(2) inherits handlers, table and descriptors, and must not mark its parent's notes.
    private static let table: UInt = {
        let slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: capacity)
        for slot in 0..<capacity { (slots + slot).initialize(to: Atomic(free)) }
        return UInt(bitPattern: slots)
    }()
    private static let hasBegun = Atomic(false)
    /// Whether the handler is installed; it is with the first use. The handler must find the table in place.
    private static let isInstalled = table != 0 && atexit { ExitMarks.exitBegins() } == 0

    /// Whether this process is exiting. Its schedulers start nothing more then.
    static var isExiting: Bool { hasBegun.load(ordering: .acquiring) }

    /// Has the notes with this descriptor marked when the process exits, until they are withdrawn. `nil` when there is no
    /// room.
    static func register(_ descriptor: Int32) -> Registration? {
        guard isInstalled else { return nil }
        let entry = entry(descriptor)
        for slot in 0..<capacity {
            guard let atomic = pointer(slot) else { return nil }
            if atomic.pointee.compareExchange(expected: free, desired: entry, ordering: .acquiringAndReleasing)
                .exchanged
            {
                return Registration(slot: slot)
            }
        }
        return nil
    }

    /// Returns whether the descriptor may be closed. Otherwise the process is exiting and the handler uses it; closed, its
    /// number could already belong to another file.
    static func withdraw(_ registration: Registration, _ descriptor: Int32) -> Bool {
        guard let atomic = pointer(registration.slot) else { return false }
        return atomic.pointee
            .compareExchange(expected: entry(descriptor), desired: free, ordering: .acquiringAndReleasing).exchanged
    }

    private static func exitBegins() {
        hasBegun.store(true, ordering: .sequentiallyConsistent)
        let process = UInt64(UInt32(bitPattern: getpid()))
        for slot in 0..<capacity {
            guard let atomic = pointer(slot) else { return }
            guard atomic.pointee.load(ordering: .acquiring) >> 32 == process else { continue }
            let entry = atomic.pointee.exchange(taken, ordering: .acquiringAndReleasing)
            // A scheduler that was shut down at this moment has withdrawn it.
            if entry >> 32 == process { RunNotes.markExit(Int32(truncatingIfNeeded: entry)) }
        }
    }

    private static func entry(_ descriptor: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: getpid())) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }

    private static func pointer(_ slot: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
        UnsafeMutablePointer<Atomic<UInt64>>(bitPattern: table).map { $0 + slot }
    }
}
