import BackgroundWorkTransfers

/// What a download's input must fulfil, and the defaults of what it leaves out.
struct DownloadInputRules: Sendable {
    var worker: String
    /// That which the transfer goes by.
    var addressPolicy = AddressPolicy.publicInternet

    /// Throws ``WorkerInputError`` naming the field and what would be right.
    func validated(_ input: DownloadConfiguration, defaultSession: String) throws -> ValidatedTransfer {
        let rules = TransferInputRules(worker: worker, addressPolicy: addressPolicy)
        try rules.check(url: input.url, "url")
        for mirror in input.mirrors { try rules.check(url: mirror, "mirrors") }
        try rules.check(path: input.savePath, "savePath")
        if let complaint = input.checksum?.complaint { throw rules.refusal("expectedChecksum", complaint) }
        if let bytes = input.maxBytes, bytes < 0 {
            throw rules.refusal("maxBytes", "it is \(bytes), but must be 0 or more bytes")
        }
        try check(input.connections, rules)
        try rules.check(input.options)
        return ValidatedTransfer(
            url: input.url, path: input.savePath,
            sessionIdentifier: try rules.session(input.sessionIdentifier, default: defaultSession),
            options: input.options)
    }

    private func check(_ connections: ConnectionPlan, _ rules: TransferInputRules) throws {
        guard !ConnectionPlan.allowed.contains(connections.maximum) else { return }
        let field =
            switch connections {
            case .fixed: "numChunks"
            case .adaptive: "maxConnections"
            }
        throw rules.refusal(field, "it is \(connections.maximum), but must be from 1 to 16")
    }
}
