import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

@Suite("What a service can carry out")
struct TransferCapabilitiesTests {
    private func specification(
        upload form: UploadForm? = nil, _ change: (inout DownloadJob, inout TransferOptions) -> Void = { _, _ in }
    ) -> TransferSpecification {
        var (download, options) = (DownloadJob(), TransferOptions())
        change(&download, &options)
        let source = UploadSource(path: "/tmp/a", bytes: 1, modifiedNs: 0, inode: 1, device: 1)
        return TransferSpecification(
            reference: TransferReference(store: "s", key: TransferKey(workID: "w", generation: 1)),
            sessionIdentifier: "session", url: "https://example.com/a",
            job: form.map { .upload(UploadJob(method: "PUT", form: $0, source: source)) } ?? .download(download),
            options: options, securityPolicy: .publicInternet, savePath: "/tmp/a", workerName: "W")
    }

    private func using(_ feature: TransferFeature) -> TransferSpecification {
        switch feature {
        case .proxy: specification { $1.proxy = .url("http://proxy.example.com") }
        case .bytesPerSecond: specification { $1.bytesPerSecond = 1000 }
        case .tokenRefresh: specification { $1.tokenRefresh = TokenRefresh(url: "https://example.com/token") }
        case .isDiscretionary: specification { $1.isDiscretionary = true }
        case .pinnedPublicKeys: specification { $1.tls.pinnedPublicKeys = ["key"] }
        case .clientCertificate: specification { $1.tls.clientCertificatePath = "/tmp/c.pem" }
        case .additionalAuthorities: specification { $1.tls.additionalAuthoritiesPath = "/tmp/a.pem" }
        case .mirrors: specification { job, _ in job.mirrors = ["https://example.org/a"] }
        case .fixedConnections: specification { job, _ in job.connections = .fixed(4) }
        case .tus: specification(upload: .tus())
        }
    }

    @Test("a URL session refuses each with the field's name; the agent does it", arguments: TransferFeature.allCases)
    func refused(_ feature: TransferFeature) throws {
        let refusal = try #require(TransferCapabilities.urlSession().refusal(of: using(feature)))
        #expect(refusal.field == feature.rawValue)
        #expect(refusal.reason.contains("Leave it out"))
        #expect(TransferCapabilities.all.refusal(of: using(feature)) == nil)
    }

    @Test("only what is missing is refused")
    func others() {
        let some = TransferCapabilities(name: "it", missing: [.mirrors])
        for feature in TransferFeature.allCases {
            #expect((some.refusal(of: using(feature)) != nil) == (feature == .mirrors))
        }
    }

    @Test("ordinary transfers are not refused")
    func ordinary() {
        let ordinary = [
            specification(),
            specification { job, options in
                (job.connections, options.proxy) = (.adaptive(upTo: 16), .direct)
                options.authentication = .basic(user: "u", password: "p")
            }, specification { job, _ in job.connections = .single }, specification(upload: .body()),
            specification(upload: .multipart()),
        ]
        for specification in ordinary { #expect(TransferCapabilities.urlSession().refusal(of: specification) == nil) }
    }
}
