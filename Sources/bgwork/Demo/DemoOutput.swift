/// What the demo has verified, and whether it held.
struct Checklist {
    private(set) var failures = 0
    private(set) var lines: [String] = []

    mutating func check(_ title: String, _ holds: Bool, _ found: String) {
        if !holds { failures += 1 }
        lines.append(ProgressLine.joined((holds ? "  ok    " : "  FAIL  ") + title + ":", found))
    }

    /// What could not be checked from here, and why.
    mutating func skip(_ title: String, _ reason: String) {
        lines.append(ProgressLine.joined("  --    \(title):", reason))
    }
}
