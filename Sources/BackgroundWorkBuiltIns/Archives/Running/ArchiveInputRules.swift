import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// The rules that the inputs of both archive workers share. Each throws ``WorkerInputError`` with the field's name.
struct ArchiveInputRules {
    private let rules: TransferInputRules

    init(worker: String, _ policy: SecurityPolicy) {
        rules = TransferInputRules(worker: worker, securityPolicy: policy)
    }

    func refusal(_ field: String, _ reason: String) -> WorkerInputError { rules.refusal(field, reason) }

    func check(path: String, _ field: String) throws {
        try rules.check(path: path, field)
        guard FileRules.normalized(path) != "/" else { throw refusal(field, "it is the root of all folders") }
    }

    /// The folder of what is deleted has to be allowed as well: it is changed.
    func checkDeletion(of path: String) throws {
        let folder = DurableFile.folder(of: DurableFile.withoutTrailingSlashes(FileRules.normalized(path)))
        if let complaint = FileRules(rules.securityPolicy).complaint(about: folder) {
            throw refusal("deleteOriginal", "inputPath cannot be deleted from the folder that has it: \(complaint)")
        }
    }
}
