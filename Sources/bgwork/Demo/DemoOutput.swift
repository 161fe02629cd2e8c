import Foundation

/// Bytes as people read them.
enum ByteCount {
    static func text(_ bytes: Int64) -> String {
        if bytes < 1024 { return "\(bytes) B" }
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var value = Double(bytes) / 1024
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int(value * 10)
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}

/// Standard output, unbuffered. A closed output must not prevent the demo from stopping its processes.
enum Terminal {
    static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}

/// What the demo has verified, and whether it held.
struct Checklist {
    private(set) var failures = 0
    private(set) var lines: [String] = []

    mutating func check(_ title: String, _ holds: Bool, _ found: String) {
        if !holds { failures += 1 }
        lines.append(ProgressLine.joined((holds ? "  ok    " : "  FAIL  ") + title + ":", found))
    }

    /// Records a check that was skipped, and why.
    mutating func skip(_ title: String, _ reason: String) {
        lines.append(ProgressLine.joined("  --    \(title):", reason))
    }
}
