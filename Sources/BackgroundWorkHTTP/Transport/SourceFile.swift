import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import Dispatch

/// A regular file that is open to be sent, as long as it was when it was opened.
package final class SourceFile: Sendable {
    private static let queue = DispatchQueue(label: "BackgroundWork.HTTP.SourceFile", attributes: .concurrent)

    package let path: String
    package let bytes: Int64
    private let descriptor: Int32
    private let modified: timespec
    private let url: TransferURL

    private init(_ path: String, _ descriptor: Int32, _ status: stat, for url: TransferURL) {
        (self.path, self.descriptor, self.url) = (path, descriptor, url)
        bytes = Int64(status.st_size)
        modified = status.lastWritten
    }

    deinit { close(descriptor) }

    /// Opens a file where the policy allows it. Throws an ``HTTPError`` that says why not.
    ///
    /// - Parameter url: of the request that sends it, for messages.
    package static func open(
        _ path: String, for url: TransferURL, policy: SecurityPolicy
    ) async throws -> SourceFile {
        let rules = FileRules(policy)
        try rules.check(path, for: url)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try opened(path, url, rules) }) }
        }
    }

    private static func opened(_ path: String, _ url: TransferURL, _ rules: FileRules) throws -> SourceFile {
        let descriptor: Int32
        do { descriptor = try rules.openForReading(path) } catch { throw HTTPError(fileError: error, url) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HTTPError.disk(
                FileError.notRegular(action: "send", path: path), url)
        }
        return SourceFile(path, descriptor, status, for: url)
    }

    /// The next bytes from an offset on, at least one and at most `count`, of which so many must be left. Blocks.
    package func read(at offset: Int64, atMost count: Int) throws(HTTPError) -> Data {
        var piece = Data(count: count)
        let read = piece.withUnsafeMutableBytes { space in
            SystemCall.repeated { pread(descriptor, space.baseAddress, count, off_t(offset)) }
        }
        if read < 0 { throw HTTPError.disk(FileError(action: "read", path: path, code: errno), url) }
        if read == 0 { throw changed("become shorter") }
        return piece.prefix(read)
    }

    /// Throws when it was written since it was opened. Blocks.
    package func checkUnchanged() throws(HTTPError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw HTTPError.disk(FileError(action: "inspect", path: path, code: errno), url)
        }
        let now = status.lastWritten
        guard Int64(status.st_size) == bytes, now.tv_sec == modified.tv_sec, now.tv_nsec == modified.tv_nsec else {
            throw changed("changed")
        }
    }

    private func changed(_ how: String) -> HTTPError {
        HTTPError(
            kind: .disk, message: "\(url.label): \(path) has \(how) while it was sent. Send it again.",
            isRetryable: false)
    }
}
