import BackgroundWorkModel
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

/// What a configuration writes as a worker's input is what the worker reads.
struct ConfigurationInputTests {
    struct Change<Value>: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (inout Value) -> Void

        init(_ field: String, _ apply: @escaping @Sendable (inout Value) -> Void) {
            testDescription = field
            self.apply = apply
        }
    }

    static let options: [Change<TransferOptions>] = [
        Change("headers") { $0.headers = ["X-A": "b", "": "é\u{0}\"\\/\n"] },
        Change("isDiscretionary") { $0.isDiscretionary = true },
        Change("allowsCellularAccess") { $0.allowsCellularAccess = false },
        Change("stallTimeout") { $0.stallTimeout = .milliseconds(1) },
        Change("stallTimeout, the longest") { $0.stallTimeout = .milliseconds(Int64.max) },
        Change("resourceTimeout") { $0.resourceTimeout = .milliseconds(-5) },
        Change("earliestBegin") { $0.earliestBegin = Date(timeIntervalSince1970: 1_790_000_000.125) },
        Change("priority") { $0.priority = .critical },
        Change("bytesPerSecond") { $0.bytesPerSecond = .max },
        Change("group") { $0.group = "" },
        Change("retry.growth") { $0.retry.growth = .linear },
        Change("retry.initialDelayMs") { $0.retry.initialDelayMs = 7 },
        Change("retry.maximumDelayMs") { $0.retry.maximumDelayMs = .max },
        Change("retry.maximumAttempts") { $0.retry.maximumAttempts = 1 },
        Change("retry.jitter") { $0.retry.jitter = 0.1 + 0.2 },
        Change("retry.jitter, tiny") { $0.retry.jitter = .leastNonzeroMagnitude },
        Change("retry.jitter, huge") { $0.retry.jitter = -.greatestFiniteMagnitude },
        Change("proxy: environment") { $0.proxy = .environment },
        Change("proxy: direct") { $0.proxy = .direct },
        Change("proxy: url") { $0.proxy = .url("socks5h://u:p@h:1") },
        Change("proxy: url that is spelled as a name") { $0.proxy = .url("direct") },
        Change("authentication: basic") { $0.authentication = .basic(user: "u", password: "p") },
        Change("authentication: digest") { $0.authentication = .digest(user: "u", password: "") },
        Change("authentication: bearer") { $0.authentication = .bearer(token: "t") },
        Change("tokenRefresh.url") { $0.tokenRefresh = TokenRefresh(url: "https://h/t") },
        Change("tokenRefresh.method") { $0.tokenRefresh = TokenRefresh(url: "u", method: "GET") },
        Change("tokenRefresh.headers") { $0.tokenRefresh = TokenRefresh(url: "u", headers: ["a": "b"]) },
        Change("tokenRefresh.body") { $0.tokenRefresh = TokenRefresh(url: "u", body: "b") },
        Change("tokenRefresh.tokenPath") { $0.tokenRefresh = TokenRefresh(url: "u", tokenPath: "a.b") },
        Change("tls.clientCertificatePath") { $0.tls.clientCertificatePath = "/c" },
        Change("tls.clientKeyPath") { $0.tls.clientKeyPath = "/k" },
        Change("tls.clientKeyPassword") { $0.tls.clientKeyPassword = "p" },
        Change("tls.additionalAuthoritiesPath") { $0.tls.additionalAuthoritiesPath = "/a" },
        Change("tls.pinnedPublicKeys") { $0.tls.pinnedPublicKeys = ["k1", "k2"] },
    ]

    static let downloads: [Change<DownloadConfiguration>] =
        [
            Change("url") { $0.url = "https://h/ä?b=\"c\"" },
            Change("savePath") { $0.savePath = "/a b/\u{1}\u{7f}" },
            Change("sessionIdentifier") { $0.sessionIdentifier = "s" },
            Change("onDuplicate: rename") { $0.onDuplicate = .rename },
            Change("onDuplicate: skip") { $0.onDuplicate = .skip },
            Change("fileMode") { $0.fileMode = FileMode(0o640) },
            Change("fileMode, the least") { $0.fileMode = FileMode(0) },
            Change("fileMode, which is refused later") { $0.fileMode = FileMode(0o4755) },
            Change("maxBytes") { $0.maxBytes = 0 },
            Change("isResumable") { $0.isResumable = false },
            Change("mirrors") { $0.mirrors = ["https://m1", "https://m2"] },
            Change("connections: fixed") { $0.connections = .fixed(4) },
            Change("connections: adaptive") { $0.connections = .adaptive(upTo: 5) },
        ]
        + ChecksumAlgorithm.allCases.map { algorithm in
            Change("checksum: \(algorithm)") { $0.checksum = FileChecksum(algorithm, hex: "AB") }
        } + options.map { change in Change("options.\(change.testDescription)") { change.apply(&$0.options) } }

    static let uploads: [Change<UploadConfiguration>] =
        [
            Change("url") { $0.url = "https://h/ä" },
            Change("filePath") { $0.filePath = "/other" },
            Change("method") { $0.method = "PATCH" },
            Change("sessionIdentifier") { $0.sessionIdentifier = "s" },
            Change("form: body with a type") { $0.form = .body(mimeType: "image/jpeg") },
            Change("form: multipart") { $0.form = .multipart() },
            Change("form: multipart.fieldName") { $0.form = .multipart(fieldName: "f") },
            Change("form: multipart.fileName") { $0.form = .multipart(fileName: "n") },
            Change("form: multipart.mimeType") { $0.form = .multipart(mimeType: "a/b") },
            Change("form: multipart.fields") { $0.form = .multipart(fields: ["a": "b", "c": ""]) },
            Change("form: tus") { $0.form = .tus() },
            Change("form: tus.metadata") { $0.form = .tus(metadata: ["a": "b"]) },
        ] + options.map { change in Change("options.\(change.testDescription)") { change.apply(&$0.options) } }

    private func check<Input: WorkerInput & Hashable>(_ input: Input, differsFrom standard: Input) throws {
        #expect(input != standard)
        #expect(input.inputJSON != standard.inputJSON)
        #expect(JSONSyntax.complaint(about: input.inputJSON) == nil)
        #expect(try JSONDecoder().decode(Input.self, from: Data(input.inputJSON.utf8)) == input)
        // Who encodes it by a coder gets the same.
        #expect(try JSONDecoder().decode(Input.self, from: JSONEncoder().encode(input)) == input)
    }

    @Test("each field of a download is read as it was written", arguments: downloads)
    func download(change: Change<DownloadConfiguration>) throws {
        let standard = DownloadConfiguration(url: "https://h/f", savePath: "/f")
        var download = standard
        change.apply(&download)
        try check(download, differsFrom: standard)
        #expect(try FastJSON.value(DownloadConfiguration.self, from: download.inputJSON) == download)
    }

    @Test("each field of an upload is read as it was written", arguments: uploads)
    func upload(change: Change<UploadConfiguration>) throws {
        let standard = UploadConfiguration(url: "https://h/f", filePath: "/f")
        var upload = standard
        change.apply(&upload)
        try check(upload, differsFrom: standard)
    }

    @Test("a new field has to be written, and tested here")
    func fields() {
        func names(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        func tested<Value>(_ changes: [Change<Value>]) -> Set<String> {
            Set(changes.map { String($0.testDescription.prefix { $0.isLetter }) })
        }
        let options = TransferOptions()
        #expect(names(options) == tested(Self.options))
        #expect(names(DownloadConfiguration(url: "", savePath: "")) == tested(Self.downloads))
        #expect(names(UploadConfiguration(url: "", filePath: "")) == tested(Self.uploads))
        let parts: [(String, Any)] = [
            ("retry.", options.retry), ("tls.", options.tls), ("tokenRefresh.", TokenRefresh(url: "")),
        ]
        for (prefix, value) in parts {
            let changes = Self.options.map(\.testDescription).filter { $0.hasPrefix(prefix) }
            #expect(names(value) == Set(changes.map { String($0.dropFirst(prefix.count).prefix { $0.isLetter }) }))
        }
    }

    @Test("whatever texts and numbers are in them, all fields together are read as they were written", arguments: 1...8)
    func random(seed: UInt64) throws {
        var random = RandomTransfers(seed: seed)
        for _ in 0..<100 {
            var download = DownloadConfiguration(url: random.reference().store, savePath: random.reference().store)
            download.options = random.options()
            #expect(try FastJSON.value(DownloadConfiguration.self, from: download.inputJSON) == download)
            var upload = UploadConfiguration(url: random.reference().store, filePath: random.reference().store)
            upload.options = random.options()
            #expect(try JSONDecoder().decode(UploadConfiguration.self, from: Data(upload.inputJSON.utf8)) == upload)
        }
    }

    @Test("equal configurations give equal texts, however their dictionaries are ordered")
    func order() {
        let names = (0..<40).map { "X-\($0)" }
        var one = UploadConfiguration(url: "u", filePath: "/f")
        var other = one
        for name in names { one.options.headers[name] = name }
        for name in names.reversed() { other.options.headers[name] = name }
        one.form = .multipart(fields: one.options.headers)
        other.form = .multipart(fields: other.options.headers)
        #expect(one.inputJSON == other.inputJSON)
    }

    @Test("numbers and dates that JSON cannot hold do not keep a configuration from being written")
    func impossible() throws {
        var download = DownloadConfiguration(url: "u", savePath: "/f")
        download.options.earliestBegin = Date(timeIntervalSince1970: .nan)
        download.options.stallTimeout = .seconds(Int64.max)
        #expect(JSONSyntax.complaint(about: download.inputJSON) == nil)
        #expect(throws: Never.self) { try FastJSON.value(DownloadConfiguration.self, from: download.inputJSON) }
        for jitter in [Double.nan, .infinity, -.infinity] {
            download.options.retry.jitter = jitter
            #expect(JSONSyntax.complaint(about: download.inputJSON) == nil)
            // The worker rejects it and names the field.
            let error = #expect(throws: DecodingError.self) {
                try FastJSON.value(DownloadConfiguration.self, from: download.inputJSON)
            }
            #expect(error?.inWords(of: download.inputJSON).contains("\"retry.jitter\"") == true)
        }
    }
}
