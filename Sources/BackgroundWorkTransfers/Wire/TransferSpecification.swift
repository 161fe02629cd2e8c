import BackgroundWorkModel

/// Everything the agent needs to know of a transfer, as sent with `reserve` and kept in its journal.
package struct TransferSpecification: Sendable, Hashable {
    package var reference: TransferReference
    package var sessionIdentifier: String
    package var url: String
    package var job: TransferJob
    /// The proxy in it is never `.automatic` or `.environment`: the client has looked the environment up.
    package var options: TransferOptions
    /// Which addresses may be dialled; checked on the resolved address of every connection, redirects included.
    package var addressPolicy: AddressPolicy
    /// A copy of the state file's entry, so that either can be rebuilt from the other. The source of an upload.
    package var savePath: String
    package var workerName: String

    package init(
        reference: TransferReference, sessionIdentifier: String, url: String, job: TransferJob = .download(.init()),
        options: TransferOptions = .init(), addressPolicy: AddressPolicy, savePath: String, workerName: String
    ) {
        self.reference = reference
        self.sessionIdentifier = sessionIdentifier
        self.url = url
        self.job = job
        self.options = options
        self.addressPolicy = addressPolicy
        self.savePath = savePath
        self.workerName = workerName
    }
}

extension TransferSpecification: Codable {
    private enum CodingKeys: String, CodingKey {
        case reference, sessionIdentifier, url, job, options, addressPolicy, savePath, workerName
    }

    private enum EarlierKeys: String, CodingKey { case headers, stallTimeoutMs }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            reference: try container.decode(TransferReference.self, forKey: .reference),
            sessionIdentifier: try container.decode(String.self, forKey: .sessionIdentifier),
            url: try container.decode(String.self, forKey: .url),
            job: try container.decodeIfPresent(TransferJob.self, forKey: .job) ?? .download(.init()),
            addressPolicy: try container.decode(AddressPolicy.self, forKey: .addressPolicy),
            savePath: try container.decode(String.self, forKey: .savePath),
            workerName: try container.decode(String.self, forKey: .workerName))
        if let options = try container.decodeIfPresent(TransferOptions.self, forKey: .options) {
            self.options = options
            return
        }
        // As the journals of protocol version 2 have it.
        let earlier = try decoder.container(keyedBy: EarlierKeys.self)
        options.headers = try earlier.decode([String: String].self, forKey: .headers)
        options.stallTimeout = .milliseconds(try earlier.decode(Int64.self, forKey: .stallTimeoutMs))
        options.proxy = .direct
    }
}
