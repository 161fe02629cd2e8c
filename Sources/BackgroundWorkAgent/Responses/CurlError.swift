import BackgroundWorkTransfers

/// libcurl's result code (libcurl-errors(3)) and its words.
struct CurlError: Error, Sendable, Hashable {
    var code: UInt32
    var reason: String

    /// Its numbers are part of libcurl's ABI.
    private enum Code {
        static let unsupportedProtocol: UInt32 = 1
        static let malformedURL: UInt32 = 3
        static let timeout: UInt32 = 28
        static let tooManyRedirects: UInt32 = 47
        /// A certificate or key of the peer that is not fine, and the CA file that cannot be read.
        static let peerVerification: Set<UInt32> = [60, 77, 83, 90, 91]
    }

    var classification: (kind: TransferFailure.Kind, isRetryable: Bool) {
        switch code {
        case Code.malformedURL: (.invalid, false)
        case Code.unsupportedProtocol, Code.tooManyRedirects: (.refused, false)
        case _ where Code.peerVerification.contains(code): (.network, false)
        default: (.network, true)
        }
    }

    var advice: String {
        switch code {
        case Code.malformedURL: " Check the URL."
        case Code.unsupportedProtocol: " Only http and https are followed, and https never to http."
        case Code.tooManyRedirects: " At most ten redirects are followed."
        case Code.timeout: " No byte arrived for the time that timeoutMs allows, or no connection was made."
        case _ where Code.peerVerification.contains(code):
            " The server's certificate could not be verified with the system's authorities (ca-certificates)."
        default: ""
        }
    }
}
