import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers

/// The open file of an upload, which must not change after the hand-off. Everything here blocks on the disk, and must
/// not be called on the network loop.
final class UploadFile: Sendable {
    private let source: UploadSource
    private let descriptor: Int32

    /// Throws a `.sourceChanged` failure if the file was replaced or changed, and a `.disk` failure if it cannot be
    /// opened, or if its path leads to where the rules do not allow it.
    init(_ source: UploadSource, under rules: FileRules, url: TransferURL) throws(TransferFailure) {
        self.source = source
        do {
            descriptor = try rules.openForReading(source.path)
        } catch let error as FileError {
            if error.code == ENOENT { throw .sourceChanged("is gone", source.path, url) }
            throw .source(error, url)
        } catch {
            throw .source(error, url)
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        do throws(TransferFailure) {
            try check(url)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Checks that it is still the file that was handed off, by its open descriptor and by its path.
    func check(_ url: TransferURL) throws(TransferFailure) {
        var (here, there) = (stat(), stat())
        guard fstat(descriptor, &here) == 0 else { throw .source(SystemCallError("fstat", source.path), url) }
        guard stat(source.path, &there) == 0 else { throw .sourceChanged("is gone", source.path, url) }
        guard UploadSource(path: source.path, there).isSameFile(as: source) else {
            throw .sourceChanged("is another file now", source.path, url)
        }
        let now = UploadSource(path: source.path, here)
        guard now.isSameFile(as: source), now.bytes == source.bytes, now.modifiedNs == source.modifiedNs else {
            throw .sourceChanged("has been changed", source.path, url)
        }
    }

    /// Reads all bytes of a range of it. After the last range the file is checked again, which shows that all bytes
    /// belong to the file that was handed off.
    func read(
        _ range: Range<Int64>, isLast: Bool, into buffer: PieceBuffer, _ url: TransferURL
    ) throws(TransferFailure) {
        var count = 0
        do throws(SystemCallError) {
            try buffer.fill(range.count) { space throws(SystemCallError) in
                count = try read(into: space, at: range.lowerBound)
            }
        } catch {
            throw .source(error, url)
        }
        if isLast || count < range.count { try check(url) }
        guard count == range.count else { throw .truncatedSource(source.path, url) }
    }

    /// Reads into `space`; fewer bytes than that only at the file's end.
    private func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemCallError) -> Int {
        var done = 0
        while done < space.count {
            let count = pread(descriptor, space.baseAddress?.advanced(by: done), space.count - done, Int(offset) + done)
            if count == 0 { break }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw SystemCallError("read", source.path)
            }
        }
        return done
    }
}

extension UploadSource {
    fileprivate func isSameFile(as other: UploadSource) -> Bool { inode == other.inode && device == other.device }
}

extension TransferFailure {
    fileprivate static func sourceChanged(_ what: String, _ path: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .sourceChanged,
            message:
                "\(url.label): the file \(path.printable) \(what) since the upload was handed off, so the server may "
                + "have received wrong content. Enqueue the upload again when the file is complete.",
            isRetryable: false)
    }

    fileprivate static func truncatedSource(_ path: String, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .sourceChanged,
            message:
                "\(url.label): the file \(path.printable) ended before its recorded length. Enqueue the upload again.",
            isRetryable: false)
    }

    fileprivate static func source(_ error: any Error, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .disk, message: "\(url.label): the file cannot be read: \(error)", isRetryable: false)
    }
}
