import BackgroundWorkSystem
import Foundation
import TestSupport
import Testing

/// A real nginx from the distribution, on ports of its own, for plain HTTP and for TLS.
final class NginxServer: Sendable {
    static let program = "/usr/sbin/nginx"

    let port: UInt16
    let tlsPort: UInt16
    private let folder: String
    private let process: ChildProcess

    /// What its certificate is like. The key is `server.key`, the certificate `server.crt` in its folder.
    enum Certificate: String {
        /// Of the test's own authority, for 127.0.0.1.
        case valid
        /// Of that authority, for another host.
        case otherHost
        /// Of that authority, and its time is over.
        case expired
        /// Of no authority.
        case selfSigned
    }

    /// Starts it with the files below `root`. Bodies go out at `rate` bytes a second, if given. `directives` are added to
    /// the server's.
    init(
        folder: String, root: String, rate: Int? = nil, certificate: Certificate = .valid, directives: String = ""
    ) async throws {
        self.folder = folder
        port = try Self.freePort()
        tlsPort = try Self.freePort()
        try await Self.makeCertificate(certificate, in: folder)
        let configuration = """
            daemon off; master_process off; worker_processes 1; pid \(folder)/nginx.pid; error_log \(folder)/error.log;
            events { worker_connections 256; }
            http {
              access_log \(folder)/access.log; client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
              fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
              log_format ranges '$request $status $body_bytes_sent "$http_range" "$http_if_range"';
              access_log \(folder)/ranges.log ranges;
              server {
                listen 127.0.0.1:\(port); listen 127.0.0.1:\(tlsPort) ssl http2; root \(root);
                ssl_certificate \(folder)/server.crt; ssl_certificate_key \(folder)/server.key;
                \(rate.map { "limit_rate \($0);" } ?? "")
                \(directives)
              }
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        process = try ChildProcess(
            Self.program, ["-p", folder, "-c", folder + "/nginx.conf"], environment: [:],
            log: folder + "/nginx.log")
        guard try await comesTrue({ Self.answers(port) && Self.answers(tlsPort) }) else {
            throw CocoaError(.fileReadUnknown, userInfo: ["log": folder + "/error.log"])
        }
    }

    deinit { process.send(SIGKILL) }

    /// What it logged of each request: line, status, bytes, range, condition.
    var requests: [String] {
        ((try? String(contentsOfFile: folder + "/ranges.log", encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    var certificateAuthority: String { folder + "/ca.crt" }
    /// A client's, of the same authority; the key is in `clientKey`, and encrypted with "secret" in `encryptedKey`.
    var clientCertificate: String { folder + "/client.crt" }
    /// Certificate and key in one file, encrypted with "secret".
    var clientPKCS12: String { folder + "/client.p12" }
    var clientKey: String { folder + "/client.key" }
    var encryptedKey: String { folder + "/encrypted.key" }
    /// The SHA-256 of the server's public key in base64.
    var pin: String {
        ((try? String(contentsOfFile: folder + "/pin", encoding: .utf8)) ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    private static func makeCertificate(_ certificate: Certificate, in folder: String) async throws {
        let name = certificate == .otherHost ? "DNS:other.example" : "IP:127.0.0.1"
        let signing =
            switch certificate {
            case .valid, .otherHost: "-CA ca.crt -CAkey ca.key -CAcreateserial -days 2"
            case .expired: "-CA ca.crt -CAkey ca.key -CAcreateserial -days -1"
            case .selfSigned: "-signkey server.key -days 2"
            }
        let script = """
            set -e; cd '\(folder)'
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=bgwork test CA' -keyout ca.key -out ca.crt
            openssl req -newkey rsa:2048 -nodes -subj '/CN=localhost' -keyout server.key -out server.csr
            printf 'subjectAltName=\(name)' > san
            openssl x509 -req -in server.csr \(signing) -extfile san -out server.crt
            openssl req -newkey rsa:2048 -nodes -subj '/CN=client' -keyout client.key -out client.csr
            openssl x509 -req -in client.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out client.crt
            openssl pkcs12 -export -in client.crt -inkey client.key -passout pass:secret -out client.p12
            openssl pkcs8 -topk8 -in client.key -passout pass:secret -out encrypted.key
            openssl pkey -in server.key -pubout -outform DER | openssl dgst -sha256 -binary | base64 > pin
            """
        let process = try ChildProcess(
            "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], log: folder + "/openssl.log")
        let change = await process.nextChange()
        #expect(change == .exited(0), "openssl failed; see \(folder)/openssl.log")
    }

    /// A port below the range that the system gives out by itself, so that no other server of these tests can be given
    /// it between the check and the bind.
    static func freePort() throws -> UInt16 {
        for _ in 0..<1000 {
            let candidate = UInt16.random(in: 20_000..<30_000)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = address(candidate)
            let isFree = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return candidate }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func answers(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
