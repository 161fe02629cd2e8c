import Foundation

/// Files as a home folder has them: half of the bytes are like text, in files of all lengths; a quarter cannot be
/// compressed; there are many small files and a few large ones.
enum MixedFiles {
    private static let words =
        ("the of and to in is was for on that with as be at by this from are not have an or his but which they were all "
        + "their one there been has when who will more no if out so up said what its about into than them can only "
        + "other new some could time these two may then do first any my now such like our over man me even most made "
        + "after also did many before must through back years where much your way well down should because each "
        + "function return value import struct private public guard throws static default switch record 2026-11-23 "
        + "INFO WARN error= status=200 latency_ms= request_id= {\"name\": \"value\"}, </div> 0.0 1024 0x7fff").split(
            separator: " "
        ).map { Array($0.utf8) }

    /// Returns how many files there are.
    static func make(in folder: String, bytes: Int) throws -> Int {
        var generator = SplitMix(state: 20_261_123)
        var (rest, count) = (bytes, 0)
        func write(_ name: String, _ data: [UInt8]) throws {
            try Data(data).write(to: URL(filePath: folder + "/" + name))
            rest -= data.count
            count += 1
        }
        for name in ["large", "medium", "small"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        // A quarter in four large files, half of them noise.
        for number in 0..<4 {
            let length = bytes / 16
            try write("large/\(number)", number % 2 == 0 ? text(length, &generator) : noise(length, &generator))
        }
        // An eighth in small files, in folders of 100.
        while rest > bytes * 5 / 8 {
            if count % 100 == 4 {
                let name = folder + "/small/\(count / 100)"
                try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
            }
            let length = 200 + Int(generator.next() % 40_000)
            try write(
                "small/\((count - 4) / 100)/\(count)",
                count % 8 == 0 ? noise(length, &generator) : text(length, &generator))
        }
        while rest > 0 {
            let length = min(rest, 100_000 + Int(generator.next() % 4_000_000))
            try write("medium/\(count)", count % 5 == 0 ? noise(length, &generator) : text(length, &generator))
        }
        return count
    }

    private static func text(_ length: Int, _ generator: inout SplitMix) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(length + 32)
        while text.count < length {
            let number = generator.next()
            // Frequent words more often.
            let index = Int(number % UInt64(words.count)) * Int(number >> 32 % 100) / 100
            text += words[index]
            text.append(number >> 16 % 12 == 0 ? 10 : 32)
            if number >> 20 % 16 == 0 { text += Array(String(number >> 40).utf8) }
        }
        return Array(text[..<length])
    }

    private static func noise(_ length: Int, _ generator: inout SplitMix) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                withUnsafeBytes(of: generator.next()) { bytes in
                    for byte in bytes where count < length {
                        buffer[count] = byte
                        count += 1
                    }
                }
            }
        }
    }

    /// The same files in each run.
    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            return mixed ^ mixed >> 31
        }
    }
}
