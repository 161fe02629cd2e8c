#if os(Linux)
import Foundation
import Glibc

/// nginx with one file, on a port of its own.
final class BenchmarkServer {
    let url: String
    private let process = Process()

    init(folder: String, bytes: Int) async throws {
        let root = folder + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for path in [folder, root] { chmod(path, 0o755) }
        try await CommandLineTool.run(
            "dd", ["if=/dev/urandom", "of=\(root)/file", "bs=1M", "count=\(bytes >> 20)", "status=none"])
        let port = 20_000 + Int(getpid()) % 20_000
        url = "http://127.0.0.1:\(port)/file"
        let configuration = """
            daemon off; master_process off; pid \(folder)/nginx.pid; error_log \(folder)/error.log;
            events {}
            http {
              access_log off; sendfile on; client_body_temp_path \(folder)/b; proxy_temp_path \(folder)/p;
              fastcgi_temp_path \(folder)/f; uwsgi_temp_path \(folder)/u; scgi_temp_path \(folder)/s;
              server { listen 127.0.0.1:\(port); root \(root); }
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        process.executableURL = URL(filePath: "/usr/sbin/nginx")
        process.arguments = ["-p", folder, "-c", folder + "/nginx.conf"]
        try process.run()
        // Answers as soon as it has bound its port.
        try await CommandLineTool.run(
            "curl",
            ["-s", "-f", "-I", "--retry", "50", "--retry-connrefused", "--retry-delay", "1", "-o", "/dev/null", url])
    }

    func stop() { kill(process.processIdentifier, SIGKILL) }
}
#endif
