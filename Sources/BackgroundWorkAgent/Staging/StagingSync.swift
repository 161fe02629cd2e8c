#if os(Linux)
import Dispatch
import Synchronization

/// Brings the files of several jobs to the disk together.
///
/// The folder needs one sync for all of them. Many small files share one of their file system, which writes them and
/// what describes them in a few large pieces (measured on ext4: 288 us a file one after the other, 116 from four threads,
/// 15 to 55 with 64 in one sync of the file system). Where that could take long for the sake of others, four threads
/// sync them, which share the flush that each would wait for alone.
struct StagingSync {
    private static let threads = 4

    var folder: StagingFolder
    /// What the system has not yet written, in bytes; `nil` when that is not known.
    var unwrittenBytes: () -> Int64? = UnwrittenPages.bytes

    /// - Returns: For each what went wrong, in their order.
    func synchronize(_ jobs: [FilesToSync]) -> [(any Error)?] {
        let indices = jobs.indices.filter { jobs[$0].file != nil }
        var errors: [(any Error)?]
        if synchronizeWholeFileSystem(files: indices.count) {
            // Older kernels do not tell a failed write by syncfs(2), and none tells whose it was.
            errors = jobs.map(Self.writeBackError(of:))
        } else {
            errors = indices.count > 1 ? synchronizeFromThreads(jobs, indices) : jobs.map(Self.synchronize)
            synchronizeFolder(for: jobs, &errors)
        }
        for index in jobs.indices where errors[index] == nil && jobs[index].syncsFolder {
            if let path = jobs[index].marksPath { MarkFile.remove(path) }
        }
        return errors
    }

    /// `false` when it was not done.
    private func synchronizeWholeFileSystem(files: Int) -> Bool {
        guard files >= SyncChoice.fewestFiles, let unwrittenBytes = unwrittenBytes() else { return false }
        return folder.synchronizeFileSystem { type in
            SyncChoice(files: files, unwrittenBytes: unwrittenBytes, fileSystemType: type).prefersWholeFileSystem
        }
    }

    private func synchronizeFolder(for jobs: [FilesToSync], _ errors: inout [(any Error)?]) {
        guard jobs.contains(where: \.syncsFolder) else { return }
        do throws(SystemCallError) {
            try folder.synchronize()
        } catch {
            for index in jobs.indices where jobs[index].syncsFolder { errors[index] = errors[index] ?? error }
        }
    }

    private func synchronizeFromThreads(_ jobs: [FilesToSync], _ indices: [Int]) -> [(any Error)?] {
        // All of the bytes are on their way before the first thread waits.
        for index in indices { jobs[index].file?.beginWriteBack(from: 0, bytes: 0) }
        let errors = Mutex([(any Error)?](repeating: nil, count: jobs.count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(Self.threads, indices.count)) { _ in
            while true {
                let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard turn < indices.count else { return }
                if let error = Self.synchronize(jobs[indices[turn]]) { errors.withLock { $0[indices[turn]] = error } }
            }
        }
        return errors.withLock { $0 }
    }

    private static func synchronize(_ job: FilesToSync) -> (any Error)? {
        do throws(SystemCallError) {
            try job.file?.synchronize()
            return nil
        } catch {
            return error
        }
    }

    private static func writeBackError(of job: FilesToSync) -> (any Error)? {
        do throws(SystemCallError) {
            try job.file?.waitForWriteBack()
            return nil
        } catch {
            return error
        }
    }
}
#endif
