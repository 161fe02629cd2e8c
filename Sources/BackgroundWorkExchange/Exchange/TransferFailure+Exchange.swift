import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// The failures of an exchange in words: what happened, to which URL, and what to do.
extension TransferFailure {
    package static func status(of headers: ResponseHeaders, now: WallTime, _ url: TransferURL) -> TransferFailure {
        .status(headers.status, reason: headers.reason, retryAfter: headers["retry-after"], now: now, url)
    }

    package static func invalidLength(of headers: ResponseHeaders, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .status,
            message: "\(url.label): the server's answer gives its length twice and differently, or not as a number "
                + "(Content-Length), so its end is unknown. Check the server or the proxy in front of it.",
            isRetryable: false, statusCode: headers.status)
    }

    package static func truncated(received: Int64, promised: Int64?, _ url: TransferURL) -> TransferFailure {
        let count =
            promised.map { "\(received) of the \($0) bytes it promised" } ?? "\(received) bytes and then broke off"
        return TransferFailure(
            kind: .truncated,
            message: "\(url.label): the server sent \(count). Try again.", isRetryable: true)
    }

    /// A compressed body whose end is missing, although the server sent as many bytes as announced.
    package static func cutPackedBody(_ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .truncated,
            message: "\(url.label): the compressed body is incomplete: its end is missing. Try again.",
            isRetryable: true)
    }

    package static func unpacking(_ fault: BodyUnpacker.Fault, _ url: TransferURL) -> TransferFailure {
        switch fault {
        case .unknownCoding(let coding):
            .network(
                "the server sent the body compressed (\(coding.printable)), although an uncompressed one was "
                    + "requested. Only gzip and deflate are supported.",
                isRetryable: false, url)
        case .damaged: .network("the compressed body is damaged. Try again.", url)
        case .excess: .network("there is data after the end of the compressed body. Try again.", url)
        case .unavailable(let reason):
            .network("the compressed body cannot be decompressed: \(reason)", isRetryable: false, url)
        }
    }

    package static func stalled(milliseconds: Int64, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .network,
            message: "\(url.label): no byte arrived for \(milliseconds) ms. Try again, or allow a longer stall.",
            isRetryable: true)
    }

    package static func network(_ detail: String, isRetryable: Bool = true, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .network, message: "\(url.label): \(detail.printable)", isRetryable: isRetryable)
    }
}

extension TransferFailure {
    /// Sorts libcurl's result codes (https://curl.se/libcurl/c/libcurl-errors.html).
    package static func curl(_ code: CURLcode, detail: String, redirects: Int, _ url: TransferURL) -> TransferFailure {
        switch code {
        case CURLE_URL_MALFORMAT:
            return .invalid("the URL is malformed (\(detail.printable))", url)
        // The scheme of the first URL was checked before, so this is a redirect to another scheme, or a response that
        // is not HTTP.
        case CURLE_UNSUPPORTED_PROTOCOL where redirects > 0 && !detail.contains("HTTP/0.9"):
            return .forbiddenRedirect("the server redirected to an address that is neither https nor allowed http", url)
        case CURLE_UNSUPPORTED_PROTOCOL:
            return .network(
                "the server's response is not HTTP (\(detail.printable)). Try again when the server works again.",
                url)
        case CURLE_TOO_MANY_REDIRECTS:
            return .forbiddenRedirect("the server redirected more than \(CurlRequest.maximumRedirects) times", url)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return .network(
                "the server's public key is not one of the pinned keys. Trying again does not help: pin the new key "
                    + "if it can be trusted.",
                isRetryable: false, url)
        case CURLE_SSL_CERTPROBLEM:
            return .network(
                "the client's certificate or key cannot be used (\(detail)). Check the files and the password.",
                isRetryable: false, url)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            return .network(
                "the server's certificate is not trusted (\(detail)). Trying again does not help: renew the "
                    + "certificate, or install its authority on this machine.",
                isRetryable: false, url)
        default:
            return .network("\(detail). Try again when the network or the server is back.", url)
        }
    }
}
