import BackgroundWork
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

/// What `bgwork transfers add` is asked to transfer.
struct AddOptions {
    enum Job {
        case download(DownloadConfiguration)
        case upload(UploadConfiguration)
    }

    let job: Job
    let id: String?
    /// Of the added transfer alone.
    let securityPolicy: SecurityPolicy
    let waits: Bool

    init(_ arguments: inout Arguments) throws {
        id = try arguments.value("--id")
        securityPolicy = try Self.securityPolicy(&arguments)
        waits = arguments.flag("--wait")
        let options = try Self.transferOptions(&arguments)
        if let file = try arguments.value("--upload") {
            let method = try arguments.value("--method")?.uppercased() ?? "PUT"
            guard ["PUT", "POST"].contains(method) else { throw UsageError(description: "--method is PUT or POST") }
            let operands = arguments.operands()
            try arguments.finish()
            guard operands.count == 1 else { throw UsageError(description: "add --upload FILE needs one URL") }
            let path = TransfersFolder.absolute(file)
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw UsageError(description: "\(path) cannot be read")
            }
            var upload = UploadConfiguration(url: try Self.url(operands[0]), filePath: path, method: method)
            upload.options = options
            job = .upload(upload)
        } else {
            var download = DownloadConfiguration(url: "", savePath: "")
            download.options = options
            download.checksum = try arguments.value("--sha256").map { FileChecksum(.sha256, hex: $0) }
            if let complaint = download.checksum?.complaint {
                throw UsageError(description: "--sha256 is not valid: \(complaint)")
            }
            if let count = try Self.number("--connections", &arguments, in: 1...16) {
                download.connections = count == 1 ? .single : .adaptive(upTo: Int(count))
            }
            download.mirrors = try arguments.values("--mirror").map(Self.url)
            let isNamedByServer = arguments.flag("--name-from-server")
            let operands = arguments.operands()
            try arguments.finish()
            guard !operands.isEmpty else { throw UsageError(description: "add needs a URL") }
            guard operands.count <= 2 else {
                throw UsageError(
                    description: "\"\(ShownURL.text(operands[2]))\" is one too many: add takes a URL and a PATH")
            }
            download.url = try Self.url(operands[0])
            let path = operands.count == 2 ? operands[1] : nil
            download.savePath = Self.place(path, isNamedByServer: isNamedByServer, url: download.url)
            // A name that the user has not chosen must not overwrite a file.
            if path == nil { download.onDuplicate = .rename }
            job = .download(download)
        }
    }

    private static func transferOptions(_ arguments: inout Arguments) throws -> TransferOptions {
        var options = TransferOptions()
        for header in try arguments.values("--header") {
            guard let colon = header.firstIndex(of: ":"), colon > header.startIndex else {
                throw UsageError(description: "--header needs \"NAME: VALUE\"")
            }
            options.headers[String(header[..<colon])] = header[header.index(after: colon)...]
                .trimmingCharacters(in: .whitespaces)
        }
        options.bytesPerSecond = try number("--limit", &arguments, in: 1...Int64.max)
        options.group = try arguments.value("--group")
        if let name = try arguments.value("--priority") {
            guard let priority = WorkPriority.allCases.first(where: { "\($0)" == name }) else {
                throw UsageError(description: "--priority is low, normal, high or critical")
            }
            options.priority = priority
        }
        return options
    }

    private static func securityPolicy(_ arguments: inout Arguments) throws -> SecurityPolicy {
        var policy = SecurityPolicy.publicInternet
        policy.allowedHosts = Set(try arguments.values("--allow-host"))
        if let complaint = policy.complaint { throw UsageError(description: "--allow-host: \(complaint)") }
        return arguments.flag("--allow-private") ? .unrestricted : policy
    }

    private static func number(
        _ name: String, _ arguments: inout Arguments, in range: ClosedRange<Int64>
    ) throws -> Int64? {
        guard let text = try arguments.value(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw UsageError(description: "\(name) is a number, \(range.lowerBound)\(most.isEmpty ? " or more" : most)")
        }
        return number
    }

    private static func url(_ text: String) throws -> String {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
            throw UsageError(description: "\"\(ShownURL.text(text))\" is not an http or https URL")
        }
        return text
    }

    /// Without a path the file takes its name from the URL, in the current folder.
    private static func place(_ path: String?, isNamedByServer: Bool, url: String) -> String {
        let folder = TransfersFolder.absolute(path ?? ".", isPlaceOfFile: true)
        let asFolder = folder.hasSuffix("/") ? folder : folder + "/"
        if isNamedByServer { return asFolder }
        if path != nil { return folder }
        let name = URL(string: url)?.path(percentEncoded: false).split(separator: "/").last.map(String.init)
        // For a URL without a name the server chooses the name.
        guard let name, name != ".", name != "..", !name.contains("\0") else { return asFolder }
        return TransfersFolder.absolute(name)
    }
}
