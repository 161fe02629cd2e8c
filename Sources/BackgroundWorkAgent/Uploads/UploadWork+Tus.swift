import BackgroundWorkExchange
import BackgroundWorkFoundation
import BackgroundWorkTransfers

/// Resumable uploads (https://tus.io/protocols/resumable-upload, version 1.0.0): a resource is created on the server,
/// queried for how much of the file it has, and sent the rest.
extension UploadWork {
    private static let version = (name: "Tus-Resumable", value: "1.0.0")
    /// How often an attempt queries the server without progress before it fails.
    private static let maximumDetours = 3

    func beginTus() throws(TransferFailure) {
        if let uploadURL { try ask(uploadURL) } else { try create() }
    }

    private func create() throws(TransferFailure) {
        var own = [Self.version, (name: "Upload-Length", value: "\(job.source.bytes)")]
        if let metadata { own.append((name: "Upload-Metadata", value: metadata)) }
        AgentLog.write("\(name): \(url.label), a resource for \(job.source.bytes) bytes")
        body = UploadBody(range: 0..<0)
        confirmed = 0
        try begin(.creating, .send("POST", bytes: 0), address: setting.address, own: own)
    }

    /// Names and base64 values, with commas between.
    private var metadata: String? {
        guard case .tus(let metadata) = job.form, !metadata.isEmpty else { return nil }
        return metadata.sorted { $0.key < $1.key }
            .map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }.joined(separator: ",")
    }

    private func ask(_ resource: String) throws(TransferFailure) {
        try begin(.asking, .head, address: resource, own: [Self.version])
    }

    private func send(to resource: String, from offset: Int64) throws(TransferFailure) {
        confirmed = offset
        body = UploadBody(range: offset..<job.source.bytes)
        AgentLog.write("\(name): PATCH \(TransferURL(resource).redacted) from byte \(offset)")
        let own = [
            Self.version, (name: "Upload-Offset", value: "\(offset)"),
            (name: "Content-Type", value: "application/offset+octet-stream"),
        ]
        try begin(.sending, .send("PATCH", bytes: body.count), address: resource, own: own)
    }

    func tusAnswered(_ exchange: Exchange) {
        do throws(TransferFailure) {
            switch step {
            case .creating: try created(exchange)
            case .asking: try offsetCame(exchange)
            case .sending: try sent(exchange)
            }
        } catch {
            fail(AttemptFailure(failure: error, headers: exchange.headers))
        }
    }

    private func created(_ exchange: Exchange) throws(TransferFailure) {
        guard exchange.headers.status == 201 else { return fail(refusal(exchange)) }
        guard let location = exchange.headers["location"],
            let resource = LocationReference.url(location, from: exchange.effectiveURL),
            RequestOrigin(resource).isWeb
        else {
            throw .invalid("the server created an upload, but its response has no usable Location header", url)
        }
        guard !RequestOrigin(setting.address).leavesTLS(for: RequestOrigin(resource)) else {
            throw .forbiddenRedirect("the server created an upload at an address that is not https", url)
        }
        if let refusal = specification.securityPolicy.refusal(of: URLDestination(url: resource)) {
            throw .refusedPlace(resource, refusal, url)
        }
        // Recorded before the first byte, so that another agent continues this upload instead of creating a second one.
        let task = task
        context.staging.submit(write: { try $0.recordUploadURL(resource, task: task) }) { [weak self] result in
            guard let self, self.file != nil, self.exchange == nil else { return }
            self.uploadURL = resource
            do throws(TransferFailure) {
                if case .failure(let error) = result { throw .journal(error, self.url) }
                if self.job.source.bytes == 0 { return self.finish(exchange) }
                try self.send(to: resource, from: 0)
            } catch {
                self.fail(AttemptFailure(failure: error))
            }
        }
    }

    private func offsetCame(_ exchange: Exchange) throws(TransferFailure) {
        let status = exchange.headers.status
        if status == 404 || status == 410 || status == 403 {
            AgentLog.write("\(name): the server no longer has the upload (status \(status)); starting a new one")
            return try beginAnew(exchange)
        }
        guard (200...299).contains(status) else { return fail(refusal(exchange)) }
        guard let resource = uploadURL, let offset = exchange.headers["upload-offset"].flatMap({ Int64($0) }),
            (0...job.source.bytes).contains(offset)
        else {
            throw .invalid("the server's response has no valid Upload-Offset header", url)
        }
        if offset == job.source.bytes { return finish(exchange) }
        try send(to: resource, from: offset)
    }

    private func sent(_ exchange: Exchange) throws(TransferFailure) {
        switch exchange.headers.status {
        case 200, 204:
            let offset = exchange.headers["upload-offset"].flatMap { Int64($0) }
            if offset == job.source.bytes { return finish(exchange) }
            try askAgain(exchange)
        case 409: try askAgain(exchange)
        case 404, 410: try beginAnew(exchange)
        default: fail(refusal(exchange))
        }
    }

    private func askAgain(_ exchange: Exchange) throws(TransferFailure) {
        detours += 1
        guard detours <= Self.maximumDetours, let uploadURL else { return fail(refusal(exchange)) }
        try ask(uploadURL)
    }

    private func beginAnew(_ exchange: Exchange) throws(TransferFailure) {
        detours += 1
        guard detours <= Self.maximumDetours else { return fail(refusal(exchange)) }
        uploadURL = nil
        try create()
    }
}

extension RequestOrigin {
    fileprivate var isWeb: Bool { scheme == "http" || scheme == "https" }
}
