import BackgroundWorkModel
import BackgroundWorkTransfers
import CBackgroundWorkCurl

/// The failures of an exchange in words: what happened, to which URL, and what to do.
extension TransferFailure {
    package static func status(of headers: ResponseHeaders, now: WallTime, _ url: TransferURL) -> TransferFailure {
        .status(headers.status, reason: headers.reason, retryAfter: headers["retry-after"], now: now, url)
    }

    package static func invalidLength(of headers: ResponseHeaders, _ url: TransferURL) -> TransferFailure {
        invalidLength(status: headers.status, url)
    }

    /// - Parameter status: `nil` if it is not known.
    private static func invalidLength(status: Int?, _ url: TransferURL) -> TransferFailure {
        TransferFailure(
            kind: .status,
            message: "\(url.label): the server's answer gives its length twice and differently, or not as a number "
                + "(Content-Length), so its end is unknown. Check the server or the proxy in front of it.",
            isRetryable: false, statusCode: status)
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
                "the server sent the body compressed in a way that it was not asked for "
                    + "(\(coding.printable(atMost: 200))). Only gzip and deflate are supported. Check the server or the "
                    + "proxy in front of it.",
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
        case CURLE_URL_MALFORMAT where redirects > 0:
            return .network(
                "the server redirected to an address that is not a valid URL (\(detail)). Check the server.",
                isRetryable: false, url)
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
        case CURLE_SSL_CACERT_BADFILE:
            return .network(
                "the file of authorities cannot be read, or has no certificate in PEM form (\(detail)). Check the path "
                    + "in tls.additionalAuthoritiesPath, and the file.",
                isRetryable: false, url)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS:
            return .network(
                "the server's certificate is not trusted (\(detail)). Trying again does not help: renew the "
                    + "certificate, or install its authority on this machine.",
                isRetryable: false, url)
        // Before there is a head.
        case CURLE_WEIRD_SERVER_REPLY where detail.contains("Content-Length"): return .invalidLength(status: nil, url)
        // libcurl has limits for a line of a head and for all of it; there is hardly another reason to be out of memory.
        case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100):
            return .largeHead(detail, url)
        case _ where detail.contains("Too large response headers"): return .largeHead(detail, url)
        default:
            if let status = refusalOfProxy(in: detail) { return .proxy(status, url) }
            return .network("\(detail). Try again when the network or the server is back.", url)
        }
    }

    private static func largeHead(_ detail: String, _ url: TransferURL) -> TransferFailure {
        .network(
            "the head of the server's answer is too large (\(detail)): 100 kB a line and 300 kB in all are taken. Check "
                + "the server.",
            isRetryable: false, url)
    }

    /// The status by which a proxy has refused to connect, as libcurl says it: "CONNECT tunnel failed, response 407", or
    /// before 7.86 "Received HTTP code 407 from proxy after CONNECT".
    private static func refusalOfProxy(in detail: String) -> Int? {
        guard detail.contains("CONNECT") else { return nil }
        return detail.split { !$0.isNumber }.lazy.compactMap { Int($0) }.first { (400...499).contains($0) }
    }

    private static func proxy(_ status: Int, _ url: TransferURL) -> TransferFailure {
        let words =
            switch status {
            case 407:
                "the proxy asks for credentials (407). Write user and password into the proxy's URL, or correct them"
            default: "the proxy refuses the connection (\(status)). Check its rules, or take another one"
            }
        return .network("\(words).", isRetryable: [408, 425, 429].contains(status), url)
    }
}
