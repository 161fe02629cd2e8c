import BackgroundWorkModel
import Foundation
import Testing

@testable import BackgroundWork

/// Inputs as the ancestor's configurations are written: by its own encoder with the defaults, and by others without.
struct AncestorInputTests {
    private func download(_ json: String) throws -> DownloadConfiguration {
        let worker = "IosBackgroundDownloadWorker"
        let input = try WorkerRegistry.decode(DownloadConfiguration.self, from: json, for: worker)
        _ = try DownloadInputRules(worker: worker).validated(input, defaultSession: "default")
        return input
    }

    private func upload(_ json: String) throws -> UploadConfiguration {
        let worker = "BackgroundUploadWorker"
        let input = try WorkerRegistry.decode(UploadConfiguration.self, from: json, for: worker)
        _ = try UploadInputRules(worker: worker).validated(input, defaultSession: "default")
        return input
    }

    @Test("IosBackgroundDownloadConfig, with its defaults and without")
    func background() throws {
        let session = "dev.brewkits.kmpworkmanager.background"
        let whole = try download(
            #"{"url":"https://cdn.example.com/raw/IMG_9999.dng","savePath":"/d/IMG_9999.dng","sessionIdentifier":""#
                + session
                + #"","headers":{"Authorization":"Bearer t"},"isDiscretionary":false,"allowsCellularAccess":false,"#
                + #""timeoutMs":1800000}"#)
        #expect(whole.sessionIdentifier == session && whole.savePath == "/d/IMG_9999.dng")
        #expect(whole.options.headers == ["Authorization": "Bearer t"] && !whole.options.allowsCellularAccess)
        #expect(whole.options.stallTimeout == .seconds(1800) && !whole.options.isDiscretionary)
        let short = try download(#"{"url":"https://example.com/f","savePath":"/d/f"}"#)
        #expect(short.options.stallTimeout == .seconds(1800) && short.options.allowsCellularAccess)
        #expect(short.sessionIdentifier == nil && short.options.headers.isEmpty)
    }

    @Test("HttpDownloadConfig and ParallelHttpDownloadConfig")
    func foreground() throws {
        let sum = String(repeating: "0a", count: 32)
        let whole = try download(
            #"{"url":"https://example.com/f","savePath":"/d/f","timeoutMs":300000,"resumable":false,"maxBytes":9,"#
                + #""expectedChecksum":"\#(sum)","checksumAlgorithm":"SHA256","onDuplicate":"RENAME"}"#)
        #expect(whole.options.stallTimeout == .seconds(300) && !whole.isResumable && whole.maxBytes == 9)
        #expect(whole.checksum?.algorithm == .sha256 && whole.onDuplicate == .rename)
        let parallel = try download(
            #"{"url":"https://example.com/f","savePath":"/d/f","numChunks":4,"timeoutMs":600000,"#
                + #""checksumAlgorithm":"SHA256","skipExisting":false}"#)
        #expect(parallel.connections == .fixed(4) && parallel.checksum == nil)
    }

    @Test("HttpUploadConfig: with its defaults it is a form")
    func form() throws {
        let whole = try upload(
            #"{"url":"https://example.com/p","filePath":"/d/p.jpg","fileFieldName":"file","fields":{"album":"a"},"#
                + #""mimeType":"image/jpeg","timeoutMs":120000}"#)
        #expect(whole.form == .multipart(mimeType: "image/jpeg", fields: ["album": "a"]))
        #expect(whole.options.stallTimeout == .seconds(120))
        let short = try upload(#"{"url":"https://example.com/p","filePath":"/d/p.jpg"}"#)
        #expect(short.form == .body())
    }
}
