import BackgroundWorkTransfers
import CBackgroundWorkCurl
import Testing

@testable import BackgroundWorkExchange

@Suite("The words for libcurl's results")
struct CurlFailureTests {
    private func failure(_ code: CURLcode, _ detail: String, redirects: Int = 0) -> TransferFailure {
        .curl(code, detail: detail, redirects: redirects, TransferURL("https://h/"))
    }

    @Test("a head that is too large is final, however libcurl says it")
    func largeHead() {
        let results = [
            failure(CURLE_OUT_OF_MEMORY, "Out of memory"),
            failure(CURLE_RECV_ERROR, "Too large response headers: 307201 > 307200"),
            failure(CURLcode(rawValue: 100), "A value or data field is larger than allowed"),
        ]
        for result in results {
            #expect(result.message.contains("the head of the server's answer is too large"), "\(result.message)")
            #expect(!result.isRetryable && !result.message.contains("Try again"))
        }
    }

    @Test("a length that is no number is as final as two different ones")
    func invalidLength() {
        var headers = ResponseHeaders()
        for line in ["HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2"] { headers.add(line: line) }
        let result = failure(CURLE_WEIRD_SERVER_REPLY, "Invalid Content-Length: value")
        let twice = TransferFailure.invalidLength(of: headers, TransferURL("https://h/"))
        #expect(result.message == twice.message && result.kind == twice.kind && !result.isRetryable)
    }

    @Test("a proxy that asks for credentials or refuses is named")
    func proxy() {
        for detail in ["CONNECT tunnel failed, response 407", "Received HTTP code 407 from proxy after CONNECT"] {
            let result = failure(CURLE_RECV_ERROR, detail)
            #expect(result.message.contains("the proxy asks for credentials (407)") && !result.isRetryable)
        }
        #expect(!failure(CURLE_RECV_ERROR, "CONNECT tunnel failed, response 403").isRetryable)
        #expect(failure(CURLE_RECV_ERROR, "CONNECT tunnel failed, response 503").isRetryable)
        #expect(failure(CURLE_RECV_ERROR, "Recv failure: Connection reset by peer").isRetryable)
    }

    @Test("an invalid URL is the request's own only if the server did not choose it")
    func url() {
        let own = failure(CURLE_URL_MALFORMAT, "x")
        #expect(own.kind == .invalid && own.message.contains("Correct the request"))
        let chosen = failure(CURLE_URL_MALFORMAT, "x", redirects: 1)
        #expect(chosen.message.contains("the server redirected") && !chosen.message.contains("Correct the request"))
        #expect(!chosen.isRetryable)
    }

    @Test("a file of authorities is no matter of the server's certificate")
    func authorities() {
        let result = failure(CURLE_SSL_CACERT_BADFILE, "x")
        #expect(result.message.contains("tls.additionalAuthoritiesPath") && !result.message.contains("not trusted"))
        #expect(!result.isRetryable)
    }

    @Test("a coding that is not supported was not asked for, and is cut if it is long")
    func coding() {
        let url = TransferURL("https://h/")
        let result = TransferFailure.unpacking(.unknownCoding("br"), url)
        #expect(result.message.contains("that it was not asked for (br)") && !result.isRetryable)
        let long = TransferFailure.unpacking(.unknownCoding(String(repeating: "x", count: 99_999)), url)
        #expect(long.message.utf8.count < 400)
    }
}
