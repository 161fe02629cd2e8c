import BackgroundWorkFiles
import BackgroundWorkSystem

/// The central directory until the end of the archive, where it belongs: in memory while it is small, then in a file.
final class DirectorySpool {
    private let mostInMemory: Int
    private let makeFile: () throws -> Int32
    private var memory: [UInt8] = []
    private var file: Int32?

    /// - Parameter makeFile: creates an empty file for reading and writing, of which only the descriptor is needed.
    init(mostInMemory: Int = 1 << 20, makeFile: @escaping () throws -> Int32) {
        self.mostInMemory = mostInMemory
        self.makeFile = makeFile
    }

    deinit { if let file { close(file) } }

    func append(_ record: [UInt8]) throws {
        memory += record
        if memory.count >= mostInMemory { try spill() }
    }

    private func spill() throws {
        let file = try self.file ?? makeFile()
        self.file = file
        try memory.withUnsafeBytes { try DurableFile.write($0, to: file, path: "the archive's directory") }
        memory.removeAll(keepingCapacity: true)
    }

    /// Writes all of it.
    func copy(to output: ArchiveOutput, checkingIn: () throws -> Void) throws {
        guard let file else { return try output.write(memory) }
        try spill()
        var position: off_t = 0
        while true {
            try checkingIn()
            try output.reserve(256 << 10)
            let free = output.free
            let count = SystemCall.repeated { pread(file, free.baseAddress, free.count, position) }
            if count == 0 { return }
            guard count > 0 else { throw FileError(action: "read", path: "the archive's directory", code: errno) }
            output.advance(count)
            position += off_t(count)
        }
    }
}
