import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// A download in process, whichever worker runs it, with its input checked.
struct DownloadPlan: Sendable, Hashable {
    var url: String
    /// Normalized.
    var path: String
    var options: HTTPWorkerOptions
    /// The most time that a request may take, unless the options say otherwise.
    var timeout: Duration
    var checksum: FileChecksum?
    var maxBytes: Int64?
    var fileMode: FileMode?
    var onDuplicate = DuplicatePolicy.overwrite
    var isResumable = true
    /// Over how many connections, if the server takes ranges.
    var connections = 1
}

extension TransferInputRules {
    /// What downloads in process have in common. Throws a ``WorkerInputError`` with the field and the valid values, and
    /// returns the normalized path.
    func checkedPath(
        url: String, savePath: String, checksum: FileChecksum?, fileMode: FileMode?, _ options: HTTPWorkerOptions
    ) throws -> String {
        try check(url: url, "url")
        try check(path: savePath, "savePath")
        let path = FileRules.normalized(savePath)
        guard !path.hasSuffix("/") else {
            throw refusal("savePath", "it is \"\(savePath.prefix(200))\", which names a folder; add the file's name")
        }
        if let complaint = fileMode?.complaint { throw refusal("fileMode", complaint) }
        if let complaint = checksum?.complaint { throw refusal("expectedChecksum", complaint) }
        try check(options)
        return path
    }
}
