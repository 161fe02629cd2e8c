#if os(Linux)
import Glibc

/// What the system holds in memory and has not yet written to any disk.
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
#endif
