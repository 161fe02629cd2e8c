import BackgroundWorkSystem
import Foundation

/// nginx with files of a folder, on a port of its own.
///
/// It answers on every loopback address (127.0.0.1 to 127.255.255.254), each of which is a host of its own to the
/// agent's limit for each host. Below `/slow/` the same files come at 1 kB a second; below `/put/`
/// files may be sent.
final class BenchmarkServer {
    let port = 10_000 + Int(getpid()) % 20_000
    /// For https, with the certificate ``authority``.
    var tlsPort: Int { port + 1 }
    /// Its own certificate, which is its own authority.
    let authority: String
    private let root: String
    private let process = Process()

    init(folder: String) async throws {
        root = folder + "/root"
        authority = folder + "/server.crt"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for path in [folder, root] { chmod(path, 0o755) }
        try await CommandLineTool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/server.key", "-out",
                authority,
            ])
        let configuration = """
            daemon off; master_process off; pid \(folder)/nginx.pid; error_log \(folder)/error.log;
            worker_rlimit_nofile 16384;
            events { worker_connections 8192; }
            http {
              access_log off; sendfile on; keepalive_requests 1000000; client_body_temp_path \(folder)/b;
              proxy_temp_path \(folder)/p; fastcgi_temp_path \(folder)/f; uwsgi_temp_path \(folder)/u;
              scgi_temp_path \(folder)/s;
              server {
                listen \(port) backlog=4096; listen \(tlsPort) ssl; root \(root);
                ssl_certificate \(authority); ssl_certificate_key \(folder)/server.key;
                location /slow/ { alias \(root)/; limit_rate 1k; }
                location /put/ { dav_methods PUT; client_max_body_size 0; }
              }
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        process.executableURL = URL(filePath: "/usr/sbin/nginx")
        process.arguments = ["-p", folder, "-c", folder + "/nginx.conf"]
        try process.run()
        try Data("up".utf8).write(to: URL(filePath: root + "/up"))
        // Answers as soon as it has bound its port.
        try await CommandLineTool.run(
            "curl",
            [
                "-s", "-f", "-I", "--retry", "50", "--retry-connrefused", "--retry-delay", "1", "-o", "/dev/null",
                url(of: "up"),
            ])
    }

    /// - Parameter host: the last part of the loopback address, from 1 to 254.
    func url(of file: String, host: Int = 1) -> String { "http://127.0.0.\(host):\(port)/\(file)" }

    /// The same by https.
    func secureURL(of file: String) -> String { "https://127.0.0.1:\(tlsPort)/\(file)" }

    /// A file of random bytes, and its URL.
    func serveFile(named name: String, bytes: Int) async throws -> String {
        try await CommandLineTool.run(
            "dd",
            [
                "if=/dev/urandom", "of=\(root)/\(name)", "bs=1M", "count=\(bytes)", "iflag=count_bytes,fullblock",
                "status=none",
            ])
        return url(of: name)
    }

    /// A file of zeros that takes no room, and its URL.
    func serveEmptyFile(named name: String, bytes: Int) throws -> String {
        let path = "\(root)/\(name)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(bytes))
        chmod(path, 0o644)
        return url(of: name)
    }

    /// Small files of different bytes, and their URLs.
    func serveFiles(_ count: Int, bytes: Int) throws -> [String] {
        let folder = root + "/small"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        return try (0..<count).map { index in
            let line = Data("file \(index)\n".utf8)
            var content = Data(capacity: bytes + line.count)
            while content.count < bytes { content.append(line) }
            try content.prefix(bytes).write(to: URL(filePath: "\(folder)/\(index)"))
            return url(of: "small/\(index)")
        }
    }

    func stop() { kill(process.processIdentifier, SIGKILL) }
}
