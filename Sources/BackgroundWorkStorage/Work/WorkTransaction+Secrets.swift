import BackgroundWorkModel

/// Secrets are kept only as long as their item may run: they go with the transaction that ends it for good, and soon
/// after that from the write-ahead log.
extension WorkTransaction {
    /// Replaces the input of an item that ends by one without secrets. Its checkpoint is removed with its end.
    func removeSecrets(of record: WorkRecord) throws {
        // For a transfer it says where that can be continued, with what the request had.
        if record.checkpoint != nil { summary.hasRemovedSecrets = true }
        guard let rest = record.inputJSON.flatMap(settings.secrets.removed) else { return }
        let flags = record.flags.intersection(.ofRequest).union(.hasLostSecrets)
        try connection.run(
            "UPDATE work SET input = ?, flags = ? WHERE seq = ?", .text(rest), .int(flags.rawValue),
            .int(record.sequence))
        summary.hasRemovedSecrets = true
    }

    /// An input is deleted, or replaced by that of another request.
    func noteDeletedInput(_ json: String?, of workerName: String) {
        guard settings.secrets.mayBeOf(workerName), json.flatMap(settings.secrets.removed) != nil else { return }
        summary.hasRemovedSecrets = true
    }
}

/// Work is to run again whose input has lost its secrets. Nothing was changed.
package struct SecretsRemovedError: Error, Sendable, Hashable {
    /// The items that cannot run again.
    package var ids: [String]
}
