import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("What is shown of secrets")
struct ShownSecretsTests {
    @Test(
        "a URL is shown by scheme, host and path, and what is not clearly one without what may be a password",
        arguments: [
            ("https://u:p@h:1/a?b=c#d", "https://h:1/a"), ("https://h/a@b", "https://h/a@b"),
            ("http://[::1]:80/", "http://[::1]:80/"), ("u:p@h/a?b", "h/a"), ("http:/u:p@h/a", "h/a"),
            ("http://u:p/w@h/a?x", "h/a"), ("http://u:p\\@h/a", "h/a"), ("nonsense?x#y", "nonsense"), ("", ""),
            ("http://h/a\nb", "http://h/a?b"), ("/a/@b?c", "/a/@b"), ("//u:p@h/a?b", "h/a"),
        ])
    func urls(url: String, shown: String) {
        #expect(ShownURL.text(url) == shown)
        #expect(ShownURL.isShortened(url) == (shown != url && !url.contains("\n")))
    }

    private var specification: TransferSpecification {
        var specification = TransferSpecification(
            reference: TransferReference(store: "s", key: TransferKey(workID: "a", generation: 1)),
            sessionIdentifier: "s", url: "https://me:Zq7-user@h/f?X-Signature=Zq7-0123456789abcdef",
            securityPolicy: .unrestricted, savePath: "/p", workerName: "W")
        TransferInputSecretsTests.fill(&specification.options)
        return specification
    }

    @Test(
        "what a server or a library repeats is hidden",
        arguments: [
            "Zq7-user", "me:Zq7-user", "X-Signature=Zq7-0123456789abcdef", "Zq7-0123456789abcdef", "Zq7-header",
            "Bearer Zq7-header", "Zq7-password", "bWU6WnE3LXBhc3N3b3Jk", "Zq7-cookie", "t=Zq7-refresh", "Zq7-key",
            "Zq7-proxy", "Zq7-fetched-token",
        ])
    func repeated(secret: String) {
        let secrets = KnownSecrets(of: specification, token: "Zq7-fetched-token")
        #expect(secrets.hidden(in: "401 \(secret) is not known, \(secret)") == "401 … is not known, …")
        let failure = TransferFailure(kind: .status, message: "no \(secret)", isRetryable: false, statusCode: 401)
        #expect(secrets.hidden(in: failure).message == "no …")
        #expect(secrets.hidden(in: failure).statusCode == 401)
        var details = TransferDetails()
        details.headers = ["www-authenticate": secret, "location": "https://h/next?sig=other", "etag": "\"1\""]
        details.responseBody = "{\"echo\":\"\(secret)\"}"
        let outcome = TransferOutcome(
            reference: specification.reference, sessionIdentifier: "s", taskIdentifier: 1, savePath: "/p",
            workerName: "W",
            result: .uploaded(bytes: 1, statusCode: 200, finalURL: "https://u:p@h/next?sig=other"), details: details
        ).withoutSecrets(secrets)
        #expect(outcome.result == .uploaded(bytes: 1, statusCode: 200, finalURL: "https://h/next"))
        #expect(outcome.details?.headers == ["www-authenticate": "…", "location": "https://h/next", "etag": "\"1\""])
        #expect(outcome.details?.responseBody == "{\"echo\":\"…\"}")
    }

    @Test("other words stay, also those that are short or ordinary")
    func ordinary() {
        var specification = specification
        specification.url = "https://h/video.mp4?name=video.mp4&download"
        specification.options = TransferOptions()
        specification.options.headers = ["Authorization": "Bearer abc"]
        let text = "GET https://h/video.mp4?…: the server answered 401 abc download. Check the Bearer token."
        #expect(KnownSecrets(of: specification).hidden(in: text) == text)
        specification.url = "https://h/video.mp4"
        specification.options.headers = [:]
        #expect(KnownSecrets(of: specification).isEmpty)
    }

    @Test("descriptions, dumps and interpolations have no secret")
    func descriptions() throws {
        var specification = specification
        var download = DownloadConfiguration(url: specification.url, savePath: "/p")
        download.mirrors = [specification.url]
        download.options = specification.options
        var upload = UploadConfiguration(url: specification.url, filePath: "/p")
        upload.options = specification.options
        upload.form = .multipart(fields: ["token": "Zq7-field", "album": "summer"])
        var job = DownloadJob()
        job.mirrors = [specification.url]
        job.resumeToken = "Zq7-resume"
        specification.job = .download(job)
        let options = specification.options
        let request = TaskRequest(workerClassName: "W", inputJSON: download.inputJSON)
        let values: [Any] = [
            download, upload, options, options.authentication as Any, options.tokenRefresh as Any, options.tls,
            options.proxy, upload.form, UploadForm.tus(metadata: ["token": "Zq7-tus"]), specification,
            specification.job, ResumeToken("Zq7", of: specification.url), request,
            HTTPAuthentication.bearer(token: "Zq7"), HTTPAuthentication.basic(user: "me", password: "Zq7"),
            AgentRequest.reserve(specification: SpecificationDocument(specification)),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), String(describing: [value]), dumped] {
                #expect(!text.contains("Zq7") && !text.contains("bWU6"), "\(text)")
            }
        }
        #expect("\(download)".contains("https://h/f") && "\(download)".contains("shown"))
        #expect("\(upload.form)".contains("summer"))
        #expect("\(options.proxy)" == "url(http://p:1)")
        #expect("\(ProxyChoice.direct)" == "direct")
    }

    @Test("an error of decoding does not repeat a credential that is in the wrong place")
    func decoding() throws {
        let json = #"{"url":"https://h/f","savePath":"/p","authentication":{"scheme":"Bearer Zq7","token":"x"}}"#
        let error = #expect(throws: DecodingError.self) {
            try JSONCoding.value(DownloadConfiguration.self, from: json)
        }
        let words = try #require(error).inWords(of: json)
        #expect(!words.contains("Zq7") && words.contains("authentication.scheme"), "\(words)")
        #expect(!"\(try #require(error))".contains("Zq7"))
    }
}
