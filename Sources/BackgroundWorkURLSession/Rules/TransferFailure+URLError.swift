import BackgroundWorkModel
import BackgroundWorkTransfers

/// A task's errors and responses in words: what happened, to which URL, and what to do.
extension TransferFailure {
    /// Sorts Foundation's codes (https://developer.apple.com/documentation/foundation/1508628-url_loading_system_error_codes).
    package static func loading(_ error: any Error, of specification: TransferSpecification) -> TransferFailure {
        let error = error as NSError
        let text = error.localizedDescription
        guard error.domain == NSURLErrorDomain else {
            return made(.network, "\(text) (\(error.domain) \(error.code)). Try again.", true, specification)
        }
        switch error.code {
        case NSURLErrorAppTransportSecurityRequiresSecureConnection:
            return made(
                .refused,
                "App Transport Security forbids http. Use https, or allow the host in Info.plist under "
                    + "NSAppTransportSecurity, NSExceptionDomains.",
                false, specification)
        case NSURLErrorBadURL, NSURLErrorUnsupportedURL:
            return made(.invalid, "the URL cannot be used (\(text)). Correct the request.", false, specification)
        case NSURLErrorHTTPTooManyRedirects, NSURLErrorRedirectToNonExistentLocation:
            return made(
                .refused, "the server redirects in a way that cannot be followed (\(text)). Check the URL.", false,
                specification)
        case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid:
            return made(
                .network,
                "the server's certificate is not trusted (\(text)). Trying again does not help: renew the "
                    + "certificate, or install its authority on this device.",
                false, specification)
        case NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired:
            return made(
                .network, "the server wants another client certificate (\(text)). Check the certificate's files.",
                false, specification)
        case NSURLErrorUserAuthenticationRequired, NSURLErrorUserCancelledAuthentication:
            return made(
                .status, "the server does not accept the credentials. Check user and password.", false, specification)
        case NSURLErrorCannotCreateFile, NSURLErrorCannotOpenFile, NSURLErrorCannotCloseFile,
            NSURLErrorCannotWriteToFile, NSURLErrorCannotRemoveFile, NSURLErrorCannotMoveFile:
            return made(.disk, "the system could not write the file (\(text)). Free some space.", true, specification)
        case NSURLErrorFileDoesNotExist, NSURLErrorNoPermissionsToReadFile, NSURLErrorFileIsDirectory:
            return made(.disk, "the file to send cannot be read (\(text)).", false, specification)
        case NSURLErrorNetworkConnectionLost:
            return made(.truncated, "the connection broke off (\(text)). Try again.", true, specification)
        case NSURLErrorTimedOut:
            return made(
                .network,
                "no byte was transferred for \(specification.options.stallTimeout.milliseconds) ms. Try again, or "
                    + "allow a longer stall.",
                true, specification)
        default:
            return made(
                .network, "\(text) (\(error.code)). Try again when the network or the server is back.", true,
                specification)
        }
    }

    static func made(
        _ kind: Kind, _ detail: String, _ isRetryable: Bool, _ specification: TransferSpecification
    ) -> TransferFailure {
        TransferFailure(
            kind: kind, message: "\(specification.labeledURL.label): \(detail)", isRetryable: isRetryable)
    }
}

extension TransferSpecification {
    /// As messages name it.
    var labeledURL: TransferURL {
        let method = if case .upload(let job) = job { job.method } else { "GET" }
        return TransferURL(url, method: method)
    }
}
