import BackgroundWorkModel
import BackgroundWorkTransfers

extension TransferSpecification {
    static func sample(
        _ workID: String = "work", store: String = "store", url: String = "http://host/file",
        headers: [String: String] = [:]
    ) -> TransferSpecification {
        TransferSpecification(
            reference: TransferReference(store: store, key: TransferKey(workID: workID, generation: 1)),
            sessionIdentifier: "session", url: url, headers: headers, stallTimeoutMs: 1000,
            addressPolicy: .unrestricted, savePath: "/save/here", workerName: "Worker")
    }
}
