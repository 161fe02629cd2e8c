import BackgroundWorkModel
import BackgroundWorkTransfers

@testable import BackgroundWorkAgent

extension TransferSpecification {
    static func sample(
        _ workID: String = "work", store: String = "store", url: String = "http://host/file",
        headers: [String: String] = [:]
    ) -> TransferSpecification {
        var options = TransferOptions()
        options.headers = headers
        options.stallTimeout = .seconds(1)
        return TransferSpecification(
            reference: TransferReference(store: store, key: TransferKey(workID: workID, generation: 1)),
            sessionIdentifier: "session", url: url, options: options, securityPolicy: .unrestricted,
            savePath: "/save/here", workerName: "Worker")
    }
}

extension Journal {
    func reserve(_ specification: TransferSpecification, at now: WallTime) throws -> Reservation {
        try reserve(SpecificationDocument(specification), at: now)
    }
}
