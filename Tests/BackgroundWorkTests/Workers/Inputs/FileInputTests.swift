import BackgroundWork
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

/// What an input says about files, when it is enqueued.
struct FileInputTests {
    private func refusal(
        of inputJSON: String, for worker: String = "BackgroundDownloadWorker", allowing directories: Set<String>? = nil
    ) async throws -> String? {
        let fixture = try SchedulerFixture()
        let scheduler = try fixture.open { $0.securityPolicy.allowedDirectories = directories }
        let answer = try await scheduler.enqueue(TaskRequest(workerClassName: worker, inputJSON: inputJSON), id: "f")
        let isStored = try await scheduler.info(id: "f") != nil
        await scheduler.shutdown()
        guard case .rejectedBySystem(let reason) = answer else {
            #expect(isStored)
            return nil
        }
        #expect(!isStored)
        return reason
    }

    private func download(_ path: String) -> String {
        DownloadConfiguration(url: "https://example.com/f", savePath: path).inputJSON
    }

    @Test(
        "a path that can never be used is refused before anything is downloaded",
        arguments: [
            "/proc/self/root/home/me/f", "/sys/f", "/dev/shm/f", "/etc/f", "/home/me/../you/f", "/home/\0",
            "/home/me/" + String(repeating: "n", count: 256), String(repeating: "/folder", count: 1_000),
        ])
    func paths(path: String) async throws {
        let reason = try await refusal(of: download(path))
        #expect(reason?.hasPrefix("f (BackgroundDownloadWorker): \"savePath\": ") == true, "\(reason ?? "")")
        let upload = UploadConfiguration(url: "https://example.com/f", filePath: path).inputJSON
        let other = try await refusal(of: upload, for: "BackgroundUploadWorker")
        #expect(other?.hasPrefix("f (BackgroundUploadWorker): \"filePath\": ") == true, "\(other ?? "")")
    }

    @Test("with allowed folders, other paths are refused, and the reason names the folders")
    func allowedDirectories() async throws {
        #expect(try await refusal(of: download("/home/me/in/f"), allowing: ["/home/me/in"]) == nil)
        let reason = try await refusal(of: download("/home/me/f"), allowing: ["/home/me/in"])
        #expect(reason?.contains("/home/me/in") == true, "\(reason ?? "")")
        #expect(try await refusal(of: download("/dev/shm/f"), allowing: ["/dev/shm"]) == nil)
    }

    @Test("certificates may be in /etc")
    func certificates() async throws {
        var download = DownloadConfiguration(url: "https://example.com/f", savePath: "/home/me/f")
        download.options.tls.additionalAuthoritiesPath = "/etc/ssl/certs/ca-certificates.crt"
        #expect(try await refusal(of: download.inputJSON, allowing: ["/home/me"]) == nil)
        download.options.tls.additionalAuthoritiesPath = "/proc/self/environ"
        let reason = try await refusal(of: download.inputJSON)
        #expect(reason?.contains("tls.additionalAuthoritiesPath") == true, "\(reason ?? "")")
    }

    @Test("a file mode has octal digits, and only permissions to read, write and execute")
    func fileMode() async throws {
        for mode in ["0640", "640", "0", "0777"] {
            let input = #"{"url":"https://example.com/f","savePath":"/home/me/f","fileMode":"\#(mode)"}"#
            #expect(try await refusal(of: input) == nil, "\(mode)")
        }
        for mode in [#""4755""#, #""1777""#, #""rw""#, #""-1""#, #""""#, #""0o640""#, "416"] {
            let input = #"{"url":"https://example.com/f","savePath":"/home/me/f","fileMode":\#(mode)}"#
            #expect(try await refusal(of: input)?.contains("fileMode") == true, "\(mode)")
        }
        var download = DownloadConfiguration(url: "https://example.com/f", savePath: "/home/me/f")
        download.fileMode = FileMode(0o2644)
        let reason = try await refusal(of: download.inputJSON)
        #expect(reason?.contains("\"fileMode\": it is 2644, but must be from 0000 to 0777") == true, "\(reason ?? "")")
    }
}
