import BackgroundWorkTransfers

extension TransferOptions {
    /// Without what proves who the client is: for another origin than the one that the client named.
    var withoutCredentials: TransferOptions {
        var options = self
        options.authentication = nil
        options.headers = headers.filter { !SecretHeader.isSecret($0.key) }
        options.tls.clientCertificatePath = nil
        options.tls.clientKeyPath = nil
        options.tls.clientKeyPassword = nil
        return options
    }
}
