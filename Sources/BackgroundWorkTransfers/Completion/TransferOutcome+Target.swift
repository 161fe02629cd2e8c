import BackgroundWorkFiles

extension TransferOutcome {
    /// The path that the file is to have; for a folder, with the name that the server suggests. The same for each
    /// delivery of an outcome.
    var wantedPath: String {
        guard savePath.hasSuffix("/") else { return savePath }
        // Judged once more, although the daemon has done so: a name must never lead out of the folder.
        let suggested = SuggestedFileName.safe(details?.suggestedName ?? "")
        return savePath
            + (suggested.isEmpty ? SuggestedFileName.name(contentDisposition: nil, url: finalURL) : suggested)
    }

    /// What happens to a delivered file when another file exists at its path.
    var collision: FileMove.Collision { (details?.onDuplicate ?? .overwrite).collision }

    private var finalURL: String {
        switch result {
        case .delivered(_, _, _, let url), .uploaded(_, _, let url): url
        case .failed: ""
        }
    }
}

extension DuplicatePolicy {
    /// What it means for a file that is being moved.
    package var collision: FileMove.Collision {
        switch self {
        case .overwrite: .replace
        case .rename: .nextName
        case .skip: .discard
        }
    }
}
