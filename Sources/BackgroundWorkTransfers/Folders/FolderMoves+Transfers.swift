import BackgroundWorkFiles
import BackgroundWorkModel

extension TLSOptions {
    package func moved(by moves: FolderMoves) -> TLSOptions {
        var options = self
        options.clientCertificatePath = moves.current(clientCertificatePath)
        options.clientKeyPath = moves.current(clientKeyPath)
        options.additionalAuthoritiesPath = moves.current(additionalAuthoritiesPath)
        return options
    }
}

extension SecurityPolicy {
    package func moved(by moves: FolderMoves) -> SecurityPolicy {
        var policy = self
        policy.allowedDirectories = allowedDirectories.map { Set($0.map { moves.current($0) }) }
        return policy
    }
}

extension DownloadConfiguration {
    package func moved(by moves: FolderMoves) -> DownloadConfiguration {
        var configuration = self
        configuration.savePath = moves.current(savePath)
        configuration.options.tls = options.tls.moved(by: moves)
        return configuration
    }
}

extension UploadConfiguration {
    package func moved(by moves: FolderMoves) -> UploadConfiguration {
        var configuration = self
        configuration.filePath = moves.current(filePath)
        configuration.options.tls = options.tls.moved(by: moves)
        return configuration
    }
}

extension TransferSpecification {
    package func moved(by moves: FolderMoves) -> TransferSpecification {
        var specification = self
        specification.savePath = moves.current(savePath)
        specification.options.tls = options.tls.moved(by: moves)
        specification.securityPolicy = securityPolicy.moved(by: moves)
        if case .upload(var job) = job {
            job.source.path = moves.current(job.source.path)
            specification.job = .upload(job)
        }
        return specification
    }
}

extension TransferOutcome {
    package func moved(by moves: FolderMoves) -> TransferOutcome {
        var outcome = self
        outcome.savePath = moves.current(savePath)
        outcome.details?.allowedDirectories = details?.allowedDirectories?.map { moves.current($0) }
        if case .delivered(let staged, let bytes, let statusCode, let finalURL) = result {
            outcome.result = .delivered(
                stagingPath: moves.current(staged), bytes: bytes, statusCode: statusCode, finalURL: finalURL)
        }
        return outcome
    }
}

extension TransferEntry {
    package func moved(by moves: FolderMoves) -> TransferEntry {
        var entry = self
        entry.savePath = moves.current(savePath)
        return entry
    }
}

extension FileMove {
    package func moved(by moves: FolderMoves) -> FileMove {
        var move = self
        move.temporaryPath = moves.current(temporaryPath)
        move.targetPath = moves.current(targetPath)
        move.wantedPath = moves.current(wantedPath)
        move.allowedDirectories = allowedDirectories?.map { moves.current($0) }
        if !moves.isEmpty, let text = particulars, let output = try? FastJSON.value(DownloadOutput.self, from: text) {
            move.particulars = (try? output.moved(by: moves).encoded()) ?? text
        }
        return move
    }
}

extension DownloadOutput {
    package func moved(by moves: FolderMoves) -> DownloadOutput {
        var output = self
        output.savePath = moves.current(savePath)
        return output
    }
}

extension UploadOutput {
    package func moved(by moves: FolderMoves) -> UploadOutput {
        var output = self
        output.filePath = moves.current(filePath)
        return output
    }
}
