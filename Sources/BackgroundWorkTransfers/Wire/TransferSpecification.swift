import BackgroundWorkModel

/// Everything the agent needs to know of a transfer, as sent with `reserve` and kept in its journal.
package struct TransferSpecification: Sendable, Hashable {
    package var reference: TransferReference
    package var sessionIdentifier: String
    package var url: String
    package var job: TransferJob
    /// The proxy in it is never `.automatic` or `.environment`: the client has looked the environment up.
    package var options: TransferOptions
    /// Which addresses may be dialed, on each connection, redirects included; and where files may be.
    package var securityPolicy: SecurityPolicy
    /// A copy of the state file's entry, so that either can be rebuilt from the other. The source of an upload.
    package var savePath: String
    package var workerName: String

    package init(
        reference: TransferReference, sessionIdentifier: String, url: String, job: TransferJob = .download(.init()),
        options: TransferOptions = .init(), securityPolicy: SecurityPolicy, savePath: String, workerName: String
    ) {
        self.reference = reference
        self.sessionIdentifier = sessionIdentifier
        self.url = url
        self.job = job
        self.options = options
        self.securityPolicy = securityPolicy
        self.savePath = savePath
        self.workerName = workerName
    }
}

extension TransferSpecification: Codable {
    private enum CodingKeys: String, CodingKey {
        case reference, sessionIdentifier, url, job, options, savePath, workerName
        // As earlier versions have called it.
        case securityPolicy = "addressPolicy"
    }

    private enum EarlierKeys: String, CodingKey { case headers, stallTimeoutMs }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            reference: try container.decode(TransferReference.self, forKey: .reference),
            sessionIdentifier: try container.decode(String.self, forKey: .sessionIdentifier),
            url: try container.decode(String.self, forKey: .url),
            job: try container.decodeIfPresent(TransferJob.self, forKey: .job) ?? .download(.init()),
            securityPolicy: try container.decode(SecurityPolicy.self, forKey: .securityPolicy),
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

/// A transfer as the agent knows it: the work store it belongs to, and its key in there. A recreated store has another
/// identity, so its keys never collide with those of the old one.
package struct TransferReference: Sendable, Hashable, Codable, CustomStringConvertible {
    package var store: String
    package var key: TransferKey

    package init(store: String, key: TransferKey) {
        self.store = store
        self.key = key
    }

    package var description: String { "\(key)" }

    /// Short, of letters and digits only: for names of files. By FNV-1a, 64 bits.
    package var digest: String {
        let number = "\(store)/\(key)".utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return String(number, radix: 36)
    }
}

/// The numbers that transfers are given.
package enum TaskIdentifierRange {
    /// A higher number is never assigned: it would leave none for later transfers. One found in a modified state file
    /// is ignored as a minimum.
    package static let largest: Int64 = .max / 2

    /// The highest number above which to continue; 0 if there is none.
    package static func highest(of identifiers: some Sequence<Int64>) -> Int64 {
        identifiers.lazy.filter { $0 <= largest }.max() ?? 0
    }
}

extension TransferSpecification: FastJSONCodable {
    private static let lastOptions = LastDecoded<TransferOptions>()
    /// As objects; two policies are names.
    private static let lastPolicy = LastDecoded<SecurityPolicy>()

    /// Reads what this version writes. Earlier forms have no options.
    package init(json: JSONObject) throws {
        let policy = try json.raw("addressPolicy")
        let options = try json.raw("options")
        guard options.first == UInt8(ascii: "{") else { throw JSONMismatch() }
        self.init(
            reference: try json.value("reference"), sessionIdentifier: try json.string("sessionIdentifier"),
            url: try json.string("url"), job: try json.value("job"),
            options: try Self.lastOptions.value(from: options), securityPolicy: try Self.policy(from: policy, json),
            savePath: try json.string("savePath"), workerName: try json.string("workerName"))
    }

    private static func policy(from text: UnsafeBufferPointer<UInt8>, _ json: JSONObject) throws -> SecurityPolicy {
        if text.first == UInt8(ascii: "{") { return try lastPolicy.value(from: text) }
        guard let policy = SecurityPolicy(name: try json.string("addressPolicy")) else { throw JSONMismatch() }
        return policy
    }

    package func write(to json: inout JSONWriter) throws {
        json.open()
        try json.member("reference", reference)
        json.member("sessionIdentifier", sessionIdentifier)
        json.member("url", url)
        try json.member("job", job)
        json.begin("options")
        options.write(to: &json)
        if let name = securityPolicy.name {
            json.member("addressPolicy", name)
        } else {
            try json.member("addressPolicy", encoding: securityPolicy)
        }
        json.member("savePath", savePath)
        json.member("workerName", workerName)
        json.close()
    }
}

extension TransferReference: FastJSONCodable {
    package init(json: JSONObject) throws {
        guard let key = TransferKey(try json.string("key")) else { throw JSONMismatch() }
        self.init(store: try json.string("store"), key: key)
    }

    package func write(to json: inout JSONWriter) {
        json.open()
        json.member("store", store)
        json.member("key", key.description)
        json.close()
    }
}
