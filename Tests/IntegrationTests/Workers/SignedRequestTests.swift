import BackgroundWork
import BackgroundWorkFiles
import Foundation
import TestSupport
import Testing

/// Signatures as a server in Python verifies them, with a library that knows nothing of this package.
@Suite(.serialized, .fewAtATime)
struct SignedRequestTests {
    private static let script = """
        import hmac, http.server, sys

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                url = "http://" + self.headers["Host"] + self.path
                time = self.headers.get("X-Time", "")
                text = b"\\n".join([self.command.encode(), url.encode(), body, time.encode()])
                code = "v1=" + hmac.new("schlüssel".encode(), text, "sha256").hexdigest()
                good = hmac.compare_digest(code, self.headers.get("X-Code", ""))
                self.send_response(200 if good else 403)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST = do_PUT = do_DELETE = answer

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        with open(sys.argv[1] + ".new", "w") as file:
            file.write(str(server.server_address[1]))
        import os
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        server.serve_forever()
        """

    @Test("a server in Python accepts every worker's signature, and none with another key", arguments: [true, false])
    func verified(isRight: Bool) async throws {
        let place = try Workplace()
        let (script, portFile) = (place.folder.path + "/server.py", place.folder.path + "/port")
        try Data(Self.script.utf8).write(to: URL(filePath: script))
        let python = try ChildProcess(
            "/usr/bin/env", ["python3", script, portFile], environment: place.hostEnvironment(stoppingAt: nil),
            log: place.folder.path + "/python.log")
        try await place.wait(for: "the server") { FileManager.default.fileExists(atPath: portFile) }
        let url = "http://127.0.0.1:\(try String(contentsOfFile: portFile, encoding: .utf8))/a?b=c&d=%20"

        var signing = RequestSigning(key: isRight ? "schlüssel" : "schlussel", headerName: "X-Code", prefix: "v1=")
        let path = try place.makeFile("file", bytes: 3_000_000)
        var get = HttpRequestWorker.Input(url: url)
        get.options.signing = signing
        signing.timestampHeaderName = "X-Time"
        var put = HttpRequestWorker.Input(url: url, method: "put", body: "ä\n\nb")
        put.options.signing = signing
        var sync = HttpSyncWorker.Input(url: url)
        try sync.setBody(["a": ["b": 1]])
        sync.options.signing = signing
        var upload = HttpUploadWorker.Input(url: url, filePath: path, fields: ["x": "y"])
        upload.options.signing = signing
        var uploads = ParallelHttpUploadWorker.Input(url: url, files: [.init(filePath: path), .init(filePath: path)])
        uploads.options.signing = signing
        for request in [
            TaskRequest(HttpRequestWorker.self, input: get), TaskRequest(HttpRequestWorker.self, input: put),
            TaskRequest(HttpSyncWorker.self, input: sync), TaskRequest(HttpUploadWorker.self, input: upload),
            TaskRequest(ParallelHttpUploadWorker.self, input: uploads),
        ] {
            let event = try await place.run(request)
            #expect(event?.outcome == (isRight ? .succeeded : .failed), "\(event?.message ?? "")")
            if !isRight { #expect(event?.message?.contains("403") == true, "\(event?.message ?? "")") }
        }
        await python.killAndWait()
    }
}
