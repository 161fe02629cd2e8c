import BackgroundWorkModel

/// Everything the agent needs to know of a download, as sent with `reserve` and kept in its journal.
package struct TransferSpecification: Sendable, Hashable, Codable {
    package var reference: TransferReference
    package var sessionIdentifier: String
    package var url: String
    package var headers: [String: String]
    /// The transfer fails when no byte arrives for this long, in milliseconds.
    package var stallTimeoutMs: Int64
    /// Which addresses may be dialled; checked on the resolved address of every connection, redirects included.
    package var addressPolicy: AddressPolicy
    /// A copy of the state file's entry, so that either can be rebuilt from the other.
    package var savePath: String
    package var workerName: String

    package init(
        reference: TransferReference, sessionIdentifier: String, url: String, headers: [String: String],
        stallTimeoutMs: Int64, addressPolicy: AddressPolicy, savePath: String, workerName: String
    ) {
        self.reference = reference
        self.sessionIdentifier = sessionIdentifier
        self.url = url
        self.headers = headers
        self.stallTimeoutMs = stallTimeoutMs
        self.addressPolicy = addressPolicy
        self.savePath = savePath
        self.workerName = workerName
    }
}
