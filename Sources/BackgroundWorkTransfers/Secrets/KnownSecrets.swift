import BackgroundWorkFoundation
import BackgroundWorkModel

/// The secrets of one transfer or request as texts, to be hidden in what comes from outside: a server's or a library's
/// words may repeat what they were sent, also in capitals, in small letters, or percent-encoded.
package struct KnownSecrets: Sendable {
    /// What takes the place of a secret.
    private static let mark = "…"

    /// The longest first: one may contain another.
    private let texts: [SecretText]

    /// - Parameter token: one that was fetched for the transfer.
    package init(of specification: TransferSpecification, token: String? = nil) {
        var found = SecretCollection()
        found.add(token)
        found.add(url: specification.url)
        found.add(specification.options)
        switch specification.job {
        case .download(let job): for mirror in job.mirrors { found.add(url: mirror) }
        case .upload(let job): found.add(members: job.form.values)
        }
        texts = found.sorted
    }

    /// Of a request from this process.
    ///
    /// - Parameters:
    ///   - headers: names and values beside the options' own; a name may occur several times.
    ///   - fields: of its form.
    package init(
        of url: String, _ options: TransferOptions, headers: [(String, String)] = [], fields: [String: String] = [:],
        others: [String] = []
    ) {
        var found = SecretCollection()
        for text in others { found.add(text) }
        found.add(url: url)
        found.add(options)
        found.add(members: headers)
        found.add(members: fields)
        texts = found.sorted
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// The text with a mark in the place of each secret.
    package func hidden(in text: String) -> String {
        if isEmpty { return text }
        return texts.reduce(text) { $1.replaced(in: $0, by: Self.mark) }
    }

    /// Whether the text repeats one of them.
    package func occur(in text: String) -> Bool { hidden(in: text) != text }

    package func hidden(in failure: TransferFailure) -> TransferFailure {
        if isEmpty { return failure }
        var failure = failure
        failure.message = hidden(in: failure.message)
        return failure
    }

    /// Also shortens the URL of a redirect or of what was created.
    package func hidden(in details: TransferDetails) -> TransferDetails {
        var details = details
        if let url = details.headers["location"] { details.headers["location"] = ShownURL.text(url) }
        if isEmpty { return details }
        details.headers = details.headers.mapValues(hidden)
        details.responseBody = details.responseBody.map(hidden)
        return details
    }
}

extension KnownSecrets: CustomReflectable {
    /// How many there are.
    package var customMirror: Mirror { Mirror(self, children: ["count": texts.count], displayStyle: .struct) }
}

extension TransferOutcome {
    /// What may be recorded and told of a transfer's end.
    package func withoutSecrets(_ secrets: KnownSecrets) -> TransferOutcome {
        var outcome = self
        switch result {
        case .delivered(let stagingPath, let bytes, let statusCode, let finalURL):
            outcome.result = .delivered(
                stagingPath: stagingPath, bytes: bytes, statusCode: statusCode,
                finalURL: secrets.hidden(in: ShownURL.text(finalURL)))
        case .uploaded(let bytes, let statusCode, let finalURL):
            outcome.result = .uploaded(
                bytes: bytes, statusCode: statusCode, finalURL: secrets.hidden(in: ShownURL.text(finalURL)))
        case .failed(let failure): outcome.result = .failed(secrets.hidden(in: failure))
        }
        outcome.details = details.map(secrets.hidden)
        return outcome
    }
}

extension UploadForm {
    /// Its fields or metadata.
    var values: [String: String] {
        switch self {
        case .body: [:]
        case .multipart(_, _, _, let fields): fields
        case .tus(let metadata): metadata
        }
    }
}
