import BackgroundWorkConsole
import BackgroundWorkModel
import BackgroundWorkTransfers

extension ShownTransfer {
    /// A download that is half-way, with what a test wants of it otherwise.
    static func sample(
        _ id: String = "film", number: Int64 = 7, phase: TransferPhase = .running, bytes: Int64 = 25_000_000,
        of total: Int64? = 50_000_000, rate: Int64? = 3_100_000, path: String = "/home/me/film.mp4",
        url: String = "https://example.com/film.mp4"
    ) -> ShownTransfer {
        ShownTransfer(
            TransferSnapshot(
                reference: TransferReference(store: "store", key: TransferKey(workID: id, generation: 1)),
                sessionIdentifier: "session", taskIdentifier: number, state: .active, receivedBytes: bytes,
                totalBytes: total, url: url, savePath: path, phase: phase, bytesPerSecond: rate))
    }
}
