import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch

/// Whether a file can have a path, as far as that is known before its content is there.
enum DownloadTarget {
    private static let queue = DispatchQueue(label: "BackgroundWork.HTTP.DownloadTarget", attributes: .concurrent)

    /// Throws an ``HTTPError`` when the path is that of a folder, or the policy does not allow it.
    static func check(_ path: String, for url: TransferURL, policy: SecurityPolicy) async throws {
        try FileRules(policy).check(path, for: url)
        // What is normalized has lost them.
        let last = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? ""[...].utf8
        guard !last.isEmpty, !last.elementsEqual(".".utf8), await !isFolder(FileRules.normalized(path)) else {
            throw HTTPError(
                kind: .disk,
                message:
                    "\(url.label): cannot save the file at \(path.printable), which is a folder. Add the file's name.",
                isRetryable: false)
        }
    }

    /// A link is none: it is replaced.
    private static func isFolder(_ path: String) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async {
                var status = stat()
                continuation.resume(returning: lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
            }
        }
    }
}
