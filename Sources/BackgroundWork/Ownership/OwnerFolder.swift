import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkSystem

/// The lock files of a directory's schedulers, as far as they can be checked without the database.
struct OwnerFolder {
    static let name = "owners"

    let path: String

    init(directory: String) { path = "\(directory)/\(Self.name)" }

    /// A description of a live scheduler; `nil` if there is none.
    func living() throws -> String? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        let boot = (try? BootIdentifier.read()) ?? ""
        for name in names.sorted() where name.hasSuffix(".lock") {
            let file = "\(path)/\(name)"
            if try AdvisoryLock(path: file, contention: .giveUp) == nil || RunNotes.isSuspended(path: file, boot: boot)
            {
                return "another scheduler (its lock is \(path)/\(name))"
            }
        }
        return nil
    }

    /// The names of lock files that exist, or whose FIFOs exist, for more than a minute: a newer one may belong to a
    /// scheduler that is registering just now.
    func oldLocks(now: Date) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return Set(
            names.filter { isOld("\(path)/\($0)", now) }
                .map { $0.hasSuffix(PeerNotifier.suffix) ? String($0.dropLast(PeerNotifier.suffix.count)) : $0 }
                .filter { $0.hasSuffix(".lock") })
    }

    /// Removes the files of owners that the database does not know: of processes that died before they were
    /// registered, or while they were being removed. A live owner keeps its files by its lock.
    func removeOrphans(_ names: Set<String>) {
        for name in names {
            let file = "\(path)/\(name)"
            guard let lock = try? AdvisoryLock(path: file, contention: .giveUp) else { continue }
            unlink(PeerNotifier.path(file))
            unlink(file)
            withExtendedLifetime(lock) {}
        }
    }

    private func isOld(_ path: String, _ now: Date) -> Bool {
        // Foundation's attributes include the owner's name, for which the system's user list would be read.
        guard let stamp = FileStamp(path: path) else { return false }
        return now.timeIntervalSince1970 - Double(stamp.modifiedSeconds) > 60
    }
}
