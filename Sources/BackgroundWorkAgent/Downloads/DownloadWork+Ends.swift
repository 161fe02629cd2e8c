import BackgroundWorkExchange
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// How connections end, and what happens to their parts.
extension DownloadWork {
    private enum StreamEnd {
        /// Its part is complete.
        case partDone
        /// The file is complete, as one part.
        case wholeDone
        case askForWhole
        case rangesIgnored
        case failed(AttemptFailure)
    }

    func ended(_ exchange: Exchange, code: CURLcode) {
        guard let index = streams.firstIndex(where: { $0.exchange === exchange }) else { return }
        let stream = streams[index]
        let end = judgeEnd(of: stream, code: code)
        streams.remove(at: index)
        do throws(TransferFailure) {
            switch end {
            case .partDone: try partDone(exchange)
            case .wholeDone: complete(exchange)
            case .askForWhole: try askForWhole(exchange)
            case .rangesIgnored: try rangesIgnored(exchange)
            case .failed(let failure): connectionFailed(failure)
            }
        } catch {
            connectionFailed(AttemptFailure(failure: error))
        }
    }

    private func judgeEnd(of stream: DownloadStream, code: CURLcode) -> StreamEnd {
        let exchange = stream.exchange
        do throws(SystemCallError) {
            // If no body arrived, the file was not restarted either.
            if code == CURLE_OK, !stream.isAdmitted, case .writeFromZero(let empty) = judge(stream) {
                try emptyFile()
                stream.writer.startOver()
                entity = empty
            }
            try store(stream)
        } catch {
            return .failed(AttemptFailure(failure: .disk(error, url)))
        }
        if stream.hasAll { return .partDone }
        if let failure = exchange.failure {
            return .failed(
                AttemptFailure(
                    failure: failure, headers: exchange.headers, wasLoopback: exchange.address?.isLoopback ?? false,
                    isConnectionLoss: failure.kind == .network))
        }
        switch stream.verdict {
        case .fail(let fault): return .failed(responseFailure(fault, exchange))
        case .askForWhole: return .askForWhole
        case .rangesIgnored: return .rangesIgnored
        case .complete: return .wholeDone
        case .append, .writeFromZero, nil: break
        }
        guard code == CURLE_OK else { return .failed(transportFailure(code, of: stream)) }
        // The response had no body, so it was not evaluated yet.
        if stream.verdict == nil {
            switch judge(stream) {
            case .fail(let fault): return .failed(responseFailure(fault, exchange))
            case .askForWhole: return .askForWhole
            case .rangesIgnored: return .rangesIgnored
            case .complete: return .wholeDone
            case .append, .writeFromZero: break
            }
        }
        return bodyEnd(of: stream)
    }

    private func bodyEnd(of stream: DownloadStream) -> StreamEnd {
        if let segment = stream.segment, let table {
            let part = table.segments[segment]
            if part.isComplete { return .partDone }
            return .failed(
                AttemptFailure(
                    failure: .truncated(received: part.mark - part.start, promised: part.end - part.start, url)))
        }
        if let total = entity?.total, total != stream.writer.written {
            return .failed(
                AttemptFailure(failure: .truncated(received: stream.writer.written, promised: total, url)))
        }
        return .wholeDone
    }

    private func responseFailure(_ fault: ResponseFault, _ exchange: Exchange) -> AttemptFailure {
        let failure: TransferFailure =
            switch fault {
            case .status: .status(of: exchange.headers, now: .now(), url)
            case .wrongRange: .wrongRange(of: exchange.headers, url)
            case .invalidLength: .invalidLength(of: exchange.headers, url)
            }
        return AttemptFailure(failure: failure, headers: exchange.headers)
    }

    private func transportFailure(_ code: CURLcode, of stream: DownloadStream) -> AttemptFailure {
        let exchange = stream.exchange
        var result = AttemptFailure(
            failure: .curl(code, detail: exchange.detail(of: code), redirects: exchange.redirects, url),
            headers: exchange.headers, wasLoopback: exchange.address?.isLoopback ?? false)
        if let refusal = exchange.decisiveRefusal(of: code) {
            result.failure = .refusedAddress(refusal, redirects: exchange.redirects, url)
        } else if code == CURLE_PARTIAL_FILE, exchange.headers.isEncoded {
            // The announced length is of the compressed body, the received bytes are uncompressed.
            result.failure = .cutPackedBody(url)
        } else if code == CURLE_PARTIAL_FILE {
            let promised = exchange.headers.contentLength.map {
                $0 + (exchange.headers.status == 206 ? stream.offset : 0)
            }
            result.failure = .truncated(received: stream.writer.written, promised: promised, url)
        } else {
            result.isConnectionLoss = result.failure.isRetryable
        }
        return result
    }

    // MARK: What follows

    private func partDone(_ exchange: Exchange) throws(TransferFailure) {
        if let table, table.isComplete {
            if streams.isEmpty { complete(exchange) }
            return
        }
        // The connection, or a new one in its place, takes over half of the part that lacks most. Not after a failure:
        // the failed part is left to the next attempt.
        if table != nil, firstFailure == nil { try help() }
        if streams.isEmpty {
            attemptEnded(.failed(firstFailure ?? AttemptFailure(failure: .network("the connection was lost", url))))
        }
    }

    /// Starts a connection for a part without a connection, or for half of the part that lacks most.
    private func help() throws(TransferFailure) {
        if let idle = idleSegment() { return try begin(segment: idle) }
        guard var parts = table, let added = parts.split(), divide(into: parts) else { return }
        try begin(segment: added)
    }

    private func complete(_ exchange: Exchange) {
        stopOthers()
        attemptEnded(
            .complete(
                status: exchange.headers.status, finalURL: exchange.effectiveURL, headers: exchange.headers, body: nil))
    }

    private func askForWhole(_ exchange: Exchange) throws(TransferFailure) {
        stopOthers()
        guard !hasAskedForWhole else {
            return attemptEnded(
                .failed(AttemptFailure(failure: .wrongRange(of: exchange.headers, url), headers: exchange.headers)))
        }
        growth = ConnectionGrowth(maximum: 1)
        try beginWhole()
    }

    /// The first connection continues to the end of the file if it is still open; otherwise the whole file is
    /// requested.
    private func rangesIgnored(_ exchange: Exchange) throws(TransferFailure) {
        isWithoutRanges = true
        // A connection that has reached the end of its part was ended there.
        guard let first = streams.first(where: { $0.part == nil && $0.segment == 0 && !$0.hasAll }),
            table?.rejoin() == true
        else { return try askForWhole(exchange) }
        AgentLog.write("\(name): the server does not support ranges; continuing with one connection")
        for stream in streams where stream !== first { context.exchanges.stop(stream.exchange) }
        streams = [first]
        first.segment = nil
        written = first.writer.written
        forgetTable()
        growth = ConnectionGrowth(maximum: 1)
    }

    private func connectionFailed(_ failure: AttemptFailure) {
        if streams.isEmpty {
            context.timers.cancel(.sample(task: task))
            return attemptEnded(.failed(firstFailure ?? failure))
        }
        let shown = KnownSecrets(of: specification, token: setting.token).hidden(in: failure.failure)
        AgentLog.write("\(name): one of its connections failed, the others continue: \(shown.message)")
        if firstFailure == nil { firstFailure = failure }
        growth = ConnectionGrowth(maximum: 1)
    }

    private func stopOthers() {
        context.timers.cancel(.sample(task: task))
        for stream in streams {
            context.exchanges.stop(stream.exchange)
            // Its bytes are useless without the other parts, or were received twice.
            do throws(SystemCallError) { try store(stream) } catch { AgentLog.write("\(name): \(error)") }
        }
        streams = []
    }
}
