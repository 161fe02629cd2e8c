import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("Secrets in the inputs of transfers")
struct TransferInputSecretsTests {
    @Test(
        "inputs without secrets stay as they are",
        arguments: [
            #"{"url":"https://h/a","savePath":"/a"}"#,
            #"{"url":"https://h:8080/a@b/%3F","savePath":"/a?b#c@d","sessionIdentifier":"s"}"#,
            #"{"url":"https://h/a","savePath":"/a","headers":{"Accept":"text/*","X-Plain":"who@h?"},"retry":{"jitter":1}}"#,
            #"{"url":"https://h/a","savePath":"/a","authentication":null,"tokenRefresh":null}"#,
            #"{"url":"https://h/a?id=5&format=png&q=","savePath":"/a"}"#,
            #"{"url":"https://h/a","savePath":"/a","proxy":"http://p:1","mirrors":["http://m/a"]}"#,
            #"{"url":"https://h/a","filePath":"/a","form":"multipart","fields":{"album":"summer"}}"#,
            #"{"url":"https://h/a","filePath":"/a","form":"tus","metadata":{"filename":"a@b.c"}}"#,
            #"{"url":"https://h/a","savePath":"/a","tls":{"clientKeyPath":"/k","pinnedPublicKeys":["a="]}}"#,
            "null", "3", #""text""#, "[]", "{}",
        ])
    func harmless(json: String) { #expect(TransferInputSecrets.removed(from: json) == nil) }

    @Test(
        "each kind of secret is removed, and nothing else",
        arguments: [
            (#"{"savePath":"/a","url":"https://u:p@h/a"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (#"{"savePath":"/a","url":"https://h/a?sig=x"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (
                #"{"savePath":"/a","url":"https://h/a?id=5&h=0123456789abcdef"}"#,
                #"{"savePath":"/a","url":"https://h/a"}"#
            ),
            (#"{"savePath":"/a","url":"https://h/a?id=5#x"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (#"{"savePath":"/a","url":"https://h/a?%73ig=x"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (#"{"savePath":"/a","url":"https://h/a?id=5&key=x"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (#"{"savePath":"/a","url":"https://h/a#x"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (#"{"savePath":"/a","url":"https:\/\/h\/a\u003fsig=x"}"#, #"{"savePath":"/a","url":"https://h/a"}"#),
            (
                #"{"url":"h://h/a","mirrors":["https://m/a","https://m/b?x"]}"#,
                #"{"mirrors":["https://m/a","https://m/b"],"url":"h://h/a"}"#
            ),
            (
                #"{"url":"h://h/a","headers":{"Authorization":"x","Accept":"y"}}"#,
                #"{"headers":{"Accept":"y"},"url":"h://h/a"}"#
            ),
            (
                #"{"url":"h://h/a","headers":{"Referer":"https://u@h/b?c"}}"#,
                #"{"headers":{"Referer":"https://h/b"},"url":"h://h/a"}"#
            ),
            (#"{"url":"h://h/a","authentication":{"scheme":"bearer","token":"t"}}"#, #"{"url":"h://h/a"}"#),
            (#"{"url":"h://h/a","tokenRefresh":{"url":"h://t/"}}"#, #"{"url":"h://h/a"}"#),
            (
                #"{"url":"h://h/a","tls":{"clientKeyPassword":"x","clientKeyPath":"/k"}}"#,
                #"{"tls":{"clientKeyPath":"/k"},"url":"h://h/a"}"#
            ),
            (#"{"url":"h://h/a","proxy":"http://u:p@p:1"}"#, #"{"proxy":"http://p:1","url":"h://h/a"}"#),
            (#"{"url":"h://h/a","proxy":"u:p@p:1"}"#, #"{"proxy":"p:1","url":"h://h/a"}"#),
            (
                #"{"url":"h://h/a","proxy":{"url":"http://u:p@p:1"}}"#,
                #"{"proxy":{"url":"http://p:1"},"url":"h://h/a"}"#
            ),
            (#"{"url":"u:p@h/a?x"}"#, #"{"url":"h/a"}"#),
            (#"{"fields":{"token":"x","album":"y"},"url":"h://h/a"}"#, #"{"fields":{"album":"y"},"url":"h://h/a"}"#),
            (#"{"metadata":{"apikey":"x"},"url":"h://h/a"}"#, #"{"metadata":{},"url":"h://h/a"}"#),
            (#"{"unknown":{"password":"x"},"url":"h://h/a"}"#, #"{"unknown":{},"url":"h://h/a"}"#),
            (#"{"sessionIdentifier":"s","accessToken":"x"}"#, #"{"sessionIdentifier":"s"}"#),
        ])
    func removed(json: String, expected: String) {
        #expect(TransferInputSecrets.removed(from: json) == expected)
        #expect(TransferInputSecrets.removed(from: expected) == nil)
    }

    @Test("what a configuration of every kind writes has no secret afterwards")
    func configurations() throws {
        var download = DownloadConfiguration(url: "https://u:Zq7-a@h/f?sig=Zq7-b", savePath: "/p")
        download.mirrors = ["https://h/g?sig=Zq7-c"]
        Self.fill(&download.options)
        var form = UploadConfiguration(url: "https://h/f?sig=Zq7-d", filePath: "/p")
        form.form = .multipart(fields: ["signature": "Zq7-e", "album": "a"])
        Self.fill(&form.options)
        var tus = form
        tus.form = .tus(metadata: ["auth": "Zq7-f"])
        for json in [download.inputJSON, form.inputJSON, tus.inputJSON] {
            let rest = try #require(TransferInputSecrets.removed(from: json))
            #expect(!rest.contains("Zq7"), "\(rest)")
            #expect(rest.contains("X-Plain"))
        }
        let rest = try #require(TransferInputSecrets.removed(from: download.inputJSON))
        let shortened = try JSONCoding.value(DownloadConfiguration.self, from: rest)
        #expect(shortened.url == "https://h/f")
        #expect(shortened.options.bytesPerSecond == 7)
    }

    @Test("a specification loses the same, and one without secrets is equal to itself without them")
    func specification() throws {
        var specification = TransferSpecification(
            reference: TransferReference(store: "s", key: TransferKey(workID: "a", generation: 1)),
            sessionIdentifier: "s", url: "https://h/f", securityPolicy: .unrestricted, savePath: "/p", workerName: "W")
        specification.options.headers = ["X-Plain": "a"]
        specification.options.proxy = .url("http://p:1")
        #expect(specification.withoutSecrets == specification)
        specification.url = "https://u:Zq7-a@h/f?sig=Zq7-b"
        Self.fill(&specification.options)
        var job = DownloadJob()
        job.mirrors = ["https://h/g?sig=Zq7-c"]
        job.resumeToken = "Zq7-d"
        let source = UploadSource(path: "/p", bytes: 1, modifiedNs: 1, inode: 1, device: 1)
        let upload = UploadJob(method: "PUT", form: .multipart(fields: ["token": "Zq7-e", "a": "b"]), source: source)
        for job in [TransferJob.download(job), .upload(upload)] {
            specification.job = job
            let rest = specification.withoutSecrets
            #expect(try !JSONCoding.text(of: rest).contains("Zq7"))
            #expect(rest.withoutSecrets == rest)
            #expect(rest.savePath == "/p" && rest.options.bytesPerSecond == 7)
        }
    }

    static func fill(_ options: inout TransferOptions) {
        options.headers = ["Authorization": "Bearer Zq7-header", "X-Plain": "shown"]
        options.authentication = .digest(user: "me", password: "Zq7-password")
        options.tokenRefresh = TokenRefresh(
            url: "https://h/t?c=Zq7-client", headers: ["Cookie": "Zq7-cookie"], body: "t=Zq7-refresh")
        options.tls.clientKeyPassword = "Zq7-key"
        options.proxy = .url("http://u:Zq7-proxy@p:1")
        options.bytesPerSecond = 7
    }
}
