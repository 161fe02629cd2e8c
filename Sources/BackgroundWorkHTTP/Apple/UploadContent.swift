import BackgroundWorkModel
import BackgroundWorkTransfers
import BackgroundWorkURLSession
import Dispatch

/// A request's body as a URL session takes it.
enum UploadContent: Sendable {
    case bytes(Data)
    /// The file is removed after the request if it is temporary.
    case file(path: String, isTemporary: Bool)

    /// Removes what is temporary.
    func remove() {
        if case .file(let path, isTemporary: true) = self { try? FileManager.default.removeItem(atPath: path) }
    }
}

extension HTTPCall {
    /// The request for the session, and its body. Blocks while a stream or a form is written to a temporary file.
    func loadable() throws -> (URLRequest, UploadContent?) {
        guard let url = URL(string: request.address) else {
            throw HTTPError.invalid("its URL is not valid", request.url)
        }
        var loaded = URLRequest(url: url)
        loaded.httpMethod = request.method
        loaded.timeoutInterval = request.timeouts.request / .seconds(1)
        for field in request.fields { loaded.addValue(field.value, forHTTPHeaderField: field.name) }
        switch body {
        case let bytes as BytesSource: return (loaded, .bytes(bytes.bytes))
        case let file as FileSource:
            if let path = file.path { return (loaded, .file(path: path, isTemporary: false)) }
            return (loaded, .file(path: try spool(file), isTemporary: true))
        case let body?: return (loaded, .file(path: try spool(body), isTemporary: true))
        case nil: return (loaded, nil)
        }
    }

    /// Writes a stream or a form to a file: a session sends it in constant memory from there only.
    private func spool(_ source: any BodySource) throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "bgwork-http-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: url.path(percentEncoded: false), contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw HTTPError(
                kind: .disk, message: "\(request.url.label): no temporary file can be made.", isRetryable: true)
        }
        let path = url.path(percentEncoded: false)
        do {
            let file = try FileHandle(forWritingTo: url)
            let more = DispatchSemaphore(value: 0)
            source.begin(arrived: { more.signal() })
            let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
            defer { space.deallocate() }
            while true {
                if isEnded { throw CancellationError() }
                switch source.take(into: space) {
                case .bytes(0):
                    try file.close()
                    return path
                case .bytes(let count): try file.write(contentsOf: Data(space[..<count]))
                case .wait: more.wait()
                case .failed(let error): throw error
                }
            }
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }
}
