import BackgroundWorkModel
import BackgroundWorkSystem
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

@Suite("Opening the file of an upload")
struct UploadFileTests {
    private let folder: TemporaryFolder
    private let url = TransferURL("http://h/u", method: "PUT")

    init() throws {
        folder = try TemporaryFolder()
        for name in ["/in", "/out"] { try #require(mkdir(folder.path + name, 0o700) == 0) }
        for name in ["/in/file", "/out/file"] { close(open(folder.path + name, O_WRONLY | O_CREAT, 0o600)) }
    }

    private func failure(_ name: String, in directories: [String]?) -> TransferFailure? {
        let path = folder.path + name
        guard let source = UploadSource.found(at: path) else {
            Issue.record("no \(path)")
            return nil
        }
        let rules = FileRules(allowedDirectories: directories?.map { folder.path + $0 })
        do throws(TransferFailure) {
            _ = try UploadFile(source, under: rules, url: url)
            return nil
        } catch {
            return error
        }
    }

    @Test("a file in an allowed folder is opened, also through a link that stays within")
    func allowed() throws {
        try #require(symlink("file", folder.path + "/in/link") == 0)
        #expect(failure("/in/file", in: ["/in"]) == nil)
        #expect(failure("/in/link", in: ["/in"]) == nil)
    }

    @Test("a link that leads out, at the end or on the way, is a failure that says where to")
    func linkOut() throws {
        try #require(symlink("../out/file", folder.path + "/in/link") == 0)
        try #require(symlink("../out", folder.path + "/in/door") == 0)
        for name in ["/in/link", "/in/door/file"] {
            let failure = failure(name, in: ["/in"])
            #expect(failure?.kind == .disk && failure?.isRetryable == false)
            #expect(failure?.message.contains("/out/file") == true, "\(failure?.message ?? "")")
        }
    }

    @Test("without allowed folders a link is followed, but not into a system folder")
    func withoutFolders() throws {
        try #require(symlink("../out/file", folder.path + "/in/link") == 0)
        try #require(symlink("/proc/self/status", folder.path + "/in/process") == 0)
        #expect(failure("/in/link", in: nil) == nil)
        let refused = failure("/in/process", in: nil)
        #expect(refused?.message.contains("/proc") == true, "\(refused?.message ?? "")")
    }
}
