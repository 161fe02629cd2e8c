import Foundation

/// Whether limits on the bytes a second hold, beside those of `aria2c`.
///
/// More than the limit allows is an error at once. Less may be the machine's doing, which is busy with something else
/// just then: only five times in a row make an error of it.
struct RateBenchmark {
    static let usage = "usage: bgwork-bench rate [--agent PROGRAM] [--folder DIR] [--without-peers]\n"

    private var agent: String?
    private var parent = "/dev/shm"
    private var comparesPeers = true
    private let rates = [10_000, 1_000_000, 10_000_000, 100_000_000]

    /// `nil` when the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--without-peers": comparesPeers = false
            case "--agent":
                guard let value = rest.popFirst(), value.hasPrefix("/") else { return nil }
                agent = value
            case "--folder":
                guard let value = rest.popFirst() else { return nil }
                parent = value
            default: return nil
            }
        }
    }

    /// Whether all were within the tolerance.
    func run() async throws -> Bool {
        try NeededPrograms.check(["nginx", "curl"] + (comparesPeers ? ["aria2c"] : []))
        let agent: String = if let named = self.agent { named } else { try await AgentProgram.built() }
        // In memory where there is such a place, so that the disk's speed is not measured.
        let isInMemory = FileManager.default.isWritableFile(atPath: parent)
        let folder =
            (isInMemory ? parent : FileManager.default.temporaryDirectory.path) + "/bgwork-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try await BenchmarkServer(folder: folder)
        defer { server.stop() }
        print("limits on the bytes a second, over \(Int(RateCase.seconds)) s; allowed: within 5 %")
        let transfers = LimitedTransfers(folder: folder, agent: agent, server: server)
        var hold = true
        for bytesPerSecond in rates {
            for kind in RateCase.Kind.allCases {
                hold = try await holds(RateCase(kind: kind, bytesPerSecond: bytesPerSecond), transfers) && hold
            }
            if comparesPeers { try await compare(bytesPerSecond, server, folder) }
        }
        return hold
    }

    private func holds(_ rate: RateCase, _ transfers: LimitedTransfers) async throws -> Bool {
        for _ in 0..<5 {
            let difference = try await transfers.measure(rate) / Double(rate.bytesPerSecond) - 1
            let isWithin = abs(difference) <= RateCase.tolerance
            report("\(rate.rateWords), \(rate.kind.words)", difference, isWithin ? "" : "OUTSIDE")
            if isWithin { return true }
            if difference > 0 { return false }
        }
        return false
    }

    private func report(_ what: String, _ difference: Double, _ remark: String) {
        let percent = String(format: "%+.1f %%", 100 * difference)
        print("  \(what.padding(toLength: 52, withPad: " ", startingAt: 0)) \(percent) \(remark)")
    }

    /// Its start and end are in its time, about a tenth of a second.
    private func compare(_ bytesPerSecond: Int, _ server: BenchmarkServer, _ folder: String) async throws {
        let bytes = Int(Double(bytesPerSecond) * RateCase.seconds)
        let url = try server.serveEmptyFile(named: "peer", bytes: bytes)
        let cost = try await MeasuredProgram.run(
            "aria2c",
            [
                "-q", "--file-allocation=none", "--allow-overwrite=true", "--max-download-limit=\(bytesPerSecond)",
                "-d", folder, "-o", "aria2.bin", url,
            ])
        let rate = RateCase(kind: .download, bytesPerSecond: bytesPerSecond)
        report("\(rate.rateWords), aria2c", Double(bytes) / cost.seconds / Double(bytesPerSecond) - 1, "")
        try FileManager.default.removeItem(atPath: folder + "/aria2.bin")
    }
}

/// One way in which a limit counts.
struct RateCase {
    enum Kind: CaseIterable {
        case download, fourConnections, threeDownloads, upload

        var words: String {
            switch self {
            case .download: "a download"
            case .fourConnections: "a download over four connections"
            case .threeDownloads: "three downloads under one limit for all"
            case .upload: "an upload"
            }
        }

        var transfers: Int { self == .threeDownloads ? 3 : 1 }
    }

    var kind: Kind
    var bytesPerSecond: Int

    /// For how many seconds it is measured.
    static let seconds = 3.0
    /// How far from the limit is an error.
    static let tolerance = 0.05
    /// More than can be moved meanwhile; parts are not made of less than a few megabytes.
    var fileBytes: Int { max(Int(Double(bytesPerSecond) * (Self.seconds + 4)), 32 << 20) }

    var rateWords: String {
        bytesPerSecond >= 1_000_000 ? "\(bytesPerSecond / 1_000_000) MB/s" : "\(bytesPerSecond / 1000) kB/s"
    }
}
