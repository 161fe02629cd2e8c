import BackgroundWorkFiles
import BackgroundWorkSystem

/// A file with what an archive has been made of, so that it can be deleted when the archive is durable, by this or by a
/// later process.
///
/// Each record ends with its length: the list is read from its end, where what is in a folder comes before the folder.
final class OriginalsListWriter {
    private let file: WorkTemporary
    private let path: String
    private var buffer: [UInt8] = []

    init(_ file: WorkTemporary, path: String) {
        self.file = file
        self.path = path
    }

    /// - Parameter name: the path from the folder that has the input.
    func append(_ stamp: OriginalStamp, name: [UInt8]) throws {
        let start = buffer.count
        for number in [
            Int64(bitPattern: stamp.inode), stamp.bytes, stamp.modifiedSeconds, stamp.modifiedNanoseconds,
            stamp.changedSeconds, stamp.changedNanoseconds,
        ] {
            withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) }
        }
        buffer.append(stamp.isFolder ? 1 : 0)
        buffer += name
        let count = UInt32(buffer.count - start)
        withUnsafeBytes(of: count) { buffer.append(contentsOf: $0) }
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// Makes the list durable.
    func finish() throws {
        try flush()
        try file.synchronize()
    }

    func remove() { file.remove() }

    private func flush() throws {
        try buffer.withUnsafeBytes { try DurableFile.write($0, to: file.descriptor, path: path) }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reads the list from its end to its beginning.
struct OriginalsListReader {
    private static let numberBytes = 48
    private static let headBytes = numberBytes + 1
    private static let windowBytes = 256 << 10

    private let descriptor: Int32
    private let path: String
    private var position: Int64
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0

    /// - Parameter descriptor: stays the caller's.
    init(descriptor: Int32, path: String) throws {
        self.descriptor = descriptor
        self.path = path
        guard let identity = FileIdentity(descriptor: descriptor) else {
            throw FileError(action: "read", path: path, code: errno)
        }
        position = identity.bytes
    }

    /// The record before the last one; `nil` at the beginning.
    mutating func next() throws -> (stamp: OriginalStamp, name: [UInt8])? {
        if position == 0 { return nil }
        let length = Int(try bytes(endingAt: position, count: 4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        guard length >= Self.headBytes, Int64(length) + 4 <= position else {
            throw FileError(action: "use, because it is damaged,", path: path, code: EINVAL)
        }
        let record = try bytes(endingAt: position - 4, count: length)
        position -= Int64(length) + 4
        return record.withUnsafeBytes { raw in
            func number(_ index: Int) -> Int64 { raw.loadUnaligned(fromByteOffset: index * 8, as: Int64.self) }
            let stamp = OriginalStamp(
                inode: UInt64(bitPattern: number(0)), bytes: number(1), modifiedSeconds: number(2),
                modifiedNanoseconds: number(3), changedSeconds: number(4), changedNanoseconds: number(5),
                isFolder: raw[Self.numberBytes] == 1)
            return (stamp, Array(raw[Self.headBytes...]))
        }
    }

    private mutating func bytes(endingAt end: Int64, count: Int) throws -> [UInt8] {
        let start = end - Int64(count)
        guard start >= 0 else { throw FileError(action: "use, because it is damaged,", path: path, code: EINVAL) }
        if start < windowStart || end > windowStart + Int64(window.count) { try fill(endingAt: end, atLeast: count) }
        let offset = Int(start - windowStart)
        return Array(window[offset..<offset + count])
    }

    private mutating func fill(endingAt end: Int64, atLeast count: Int) throws {
        let wanted = Int(min(end, Int64(max(count, Self.windowBytes))))
        windowStart = end - Int64(wanted)
        let (file, start) = (descriptor, windowStart)
        window = try [UInt8](unsafeUninitializedCapacity: wanted) { [path] buffer, done in
            while done < wanted {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done..<wanted])
                let got = SystemCall.repeated { pread(file, rest.baseAddress, rest.count, off_t(start) + off_t(done)) }
                guard got > 0 else { throw FileError(action: "read", path: path, code: got == 0 ? EIO : errno) }
                done += got
            }
        }
    }
}

extension OriginalStamp {
    fileprivate init(
        inode: UInt64, bytes: Int64, modifiedSeconds: Int64, modifiedNanoseconds: Int64, changedSeconds: Int64,
        changedNanoseconds: Int64, isFolder: Bool
    ) {
        self.inode = inode
        self.bytes = bytes
        self.modifiedSeconds = modifiedSeconds
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedSeconds = changedSeconds
        self.changedNanoseconds = changedNanoseconds
        self.isFolder = isFolder
    }
}
