import BackgroundWorkModel

extension TransferSpecification {
    /// What may be kept when the transfer has ended. Equal to the specification if that has no secrets.
    package var withoutSecrets: TransferSpecification {
        var rest = self
        rest.url = ShownURL.text(url)
        rest.options = options.withoutSecrets
        switch job {
        case .download(var job):
            job.mirrors = job.mirrors.map(ShownURL.text)
            job.resumeToken = nil
            rest.job = .download(job)
        case .upload(var job):
            job.form = job.form.withoutSecrets
            rest.job = .upload(job)
        }
        return rest
    }
}

extension TransferOptions {
    fileprivate var withoutSecrets: TransferOptions {
        var rest = self
        if !headers.isEmpty { rest.headers = headers.withoutSecrets }
        rest.authentication = nil
        rest.tokenRefresh = nil
        rest.tls.clientKeyPassword = nil
        if case .url(let proxy) = proxy { rest.proxy = .url(ShownURL.text(proxy)) }
        return rest
    }
}

extension UploadForm {
    /// Without the fields whose names say that they are secret.
    package var withoutSecrets: UploadForm {
        switch self {
        case .body: self
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            .multipart(
                fieldName: fieldName, fileName: fileName, mimeType: mimeType, fields: fields.withoutSecrets)
        case .tus(let metadata): .tus(metadata: metadata.withoutSecrets)
        }
    }
}

extension [String: String] {
    /// Headers or form fields.
    fileprivate var withoutSecrets: [String: String] {
        filter { !SecretHeader.isSecret($0.key) }.mapValues(ShownParts.url)
    }
}
