import BackgroundWork
import Foundation

/// One workload of `queue`, in a process of its own, so that the processor time is of that workload alone and other
/// builds of this program can be driven alike. Prints its figures as one line of JSON.
enum QueuePart: String {
    case throughput, pair, member, chain, parallel, single, idle, opening, fill, identifiers, bare

    /// How long a part may take. A scheduler that hangs must not hang the benchmark.
    private static let mostSeconds: UInt32 = 300

    func run(_ options: PartOptions) async throws {
        alarm(Self.mostSeconds)
        let figures: [String: Double] =
            switch self {
            case .throughput: try await ThroughputPart(options).measure()
            case .pair: try await PairPart(options).measure()
            case .member: try await PairMemberPart(options).measure()
            case .chain: try await ChainPart.steps(options).measure()
            case .parallel: try await ChainPart.parallel(options).measure()
            case .single: try await SingleEnqueuePart(options).measure()
            case .idle: try await IdleQueuePart(options).measure()
            case .opening: try await OpeningPart(options).measure()
            case .fill: try await FillPart(options).measure()
            case .identifiers: try await IdentifierPart(options).measure()
            case .bare: try BareInsertPart(options).measure()
            }
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }
}
