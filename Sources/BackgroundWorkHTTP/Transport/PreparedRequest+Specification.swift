import BackgroundWorkModel
import BackgroundWorkTransfers

extension PreparedRequest {
    /// As the rules of transfers know a request.
    package var specification: TransferSpecification {
        var options = options
        options.headers = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        return TransferSpecification(
            reference: TransferReference(store: "http", key: TransferKey(workID: method, generation: 1)),
            sessionIdentifier: "http", url: address, options: options, securityPolicy: policy, savePath: "/",
            workerName: "HTTPTransport")
    }
}
