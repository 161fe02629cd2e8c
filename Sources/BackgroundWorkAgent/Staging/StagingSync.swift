import BackgroundWorkSystem
import Dispatch
import Synchronization

/// Syncs the files of several jobs together.
///
/// The folder needs one sync for all of them. Many small files share one sync of their file system, which writes their
/// data and metadata in a few large pieces (measured on ext4: 288 us a file one after the other, 116 from four threads,
/// 15 to 55 with 64 in one sync of the file system). Where that could take long because of other programs' data, four
/// threads sync the files, so that several files share one flush of the disk.
struct StagingSync {
    private static let threads = 4

    var folder: StagingFolder
    /// How many bytes the system has not yet written; `nil` when unknown.
    var unwrittenBytes: () -> Int64? = UnwrittenPages.bytes

    /// - Returns: The error of each job, in their order.
    func synchronize(_ jobs: [FilesToSync]) -> [(any Error)?] {
        let indices = jobs.indices.filter { jobs[$0].file != nil }
        var errors: [(any Error)?]
        if synchronizeWholeFileSystem(files: indices.count) {
            // Older kernels do not report a failed write by syncfs(2), and no kernel reports of which file it was.
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
        // Write-back of all files is started before the first thread waits.
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

/// The data in memory that the system has not yet written to a disk.
enum UnwrittenPages {
    /// In bytes, from /proc/meminfo (proc_meminfo(5)); `nil` when it cannot be read.
    static func bytes() -> Int64? {
        let descriptor = open("/proc/meminfo", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The two lines are among the first thirty.
        let text = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        return bytes(in: text)
    }

    /// The sum of the lines `Dirty:` and `Writeback:`, which count kilobytes of 1024 bytes; `nil` when one is missing.
    static func bytes(in text: some Collection<UInt8>) -> Int64? {
        var kilobytes: [Int64] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count > 1, words[0].elementsEqual("Dirty:".utf8) || words[0].elementsEqual("Writeback:".utf8)
            else { continue }
            guard let number = Int64(String(decoding: words[1], as: UTF8.self)) else { return nil }
            kilobytes.append(number)
        }
        return kilobytes.count == 2 ? (kilobytes[0] + kilobytes[1]) << 10 : nil
    }
}
