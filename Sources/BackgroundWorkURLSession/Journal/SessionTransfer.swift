import BackgroundWorkModel
import BackgroundWorkTransfers

/// A transfer as the journal holds it.
struct SessionTransfer: Sendable {
    enum State: String, Sendable {
        /// Its task is suspended, or was never created.
        case reserved
        case active
        /// The file is in the staging folder, and is still to be checked.
        case received
        case finished
    }

    /// The row's number, which also names its file.
    let number: Int64
    /// What the transfer goes by in the state file: the number of its first task.
    let identifier: Int64
    /// Its current task. Another one when it was made anew.
    var task: Int64
    var specification: TransferSpecification
    var state: State
    var isPaused = false
    /// Failed attempts since the count started.
    var failures = 0
    /// All attempts.
    var requests = 0
    /// Not before this instant, after a failed attempt.
    var nextAttempt: WallTime?
    var startedAt: WallTime?
    /// From which a download can be continued. Its current task has begun there, or has been stopped there.
    var resumeData: Data?
    /// The last task that was cancelled for a pause. It may still be the current one.
    var stoppedTask: Int64?
    /// Of a file that has been received.
    var response: ReceivedResponse?
    var outcome: TransferOutcome?

    var reference: TransferReference { specification.reference }
    var session: String { specification.sessionIdentifier }
    /// What the current task had received when it was stopped, as far as that is known.
    var keptData: Data? { stoppedTask == task ? resumeData : nil }

    /// Without secrets, also in what the server has said. Only the outcome of a download that can be continued keeps what
    /// that needs.
    func ended(with outcome: TransferOutcome) -> SessionTransfer {
        var ended = self
        ended.outcome = outcome.withoutSecrets(KnownSecrets(of: specification))
        ended.state = .finished
        ended.specification = specification.withoutSecrets
        ended.resumeData = nil
        ended.response = nil
        return ended
    }

    /// Whether its row has something that must not stay on the disk.
    var hasSecrets: Bool {
        if case .failed(let failure) = outcome?.result, failure.resumeToken != nil { return true }
        return resumeData != nil || specification != specification.withoutSecrets
    }

    func moved(by moves: FolderMoves) -> SessionTransfer {
        var transfer = self
        transfer.specification = specification.moved(by: moves)
        transfer.outcome = outcome?.moved(by: moves)
        return transfer
    }
}

/// What is kept of a server's response.
struct ReceivedResponse: Sendable, Hashable, Codable {
    var statusCode: Int
    /// By names in lower case.
    var headers: [String: String]
    var url: String

    /// Whether the body is the file that was asked for, and not a page of words about an error.
    var hasFile: Bool { statusCode == 200 || statusCode == 206 }

    init(statusCode: Int, headers: [String: String], url: String) {
        self.statusCode = statusCode
        self.headers = headers
        self.url = url
    }

    /// `nil` for one that is not HTTP.
    init?(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String)?.lowercased(), ResponseHeaderNames.kept.contains(name),
                let value = value as? String, value.utf8.count <= ResponseHeaderNames.longestValue
            else { continue }
            headers[name] = value
        }
        self.init(
            statusCode: response.statusCode, headers: headers, url: response.url?.absoluteString ?? "")
    }
}
