import BackgroundWorkModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a download's input must fulfil, and the defaults of what it leaves out.
struct DownloadInputRules: Sendable {
    var worker: String

    /// Half an hour, as the ancestor has it.
    private static let defaultTimeoutMs: Int64 = 1_800_000

    /// Throws ``WorkerInputError`` naming the field and what would be right.
    func validated(_ input: BackgroundDownloadWorker.Input, defaultSession: String) throws -> ValidatedDownload {
        try check(url: input.url)
        try check(savePath: input.savePath)
        let session = input.sessionIdentifier ?? defaultSession
        guard session.contains(where: { !$0.isWhitespace }) else {
            throw refusal("\"sessionIdentifier\" is blank; leave it out for the default")
        }
        let timeout = input.timeoutMs ?? Self.defaultTimeoutMs
        guard timeout > 0 else { throw refusal("\"timeoutMs\" is \(timeout), but must be above 0 milliseconds") }
        for (name, value) in input.headers ?? [:] { try check(header: name, value) }
        return ValidatedDownload(
            url: input.url, savePath: input.savePath, sessionIdentifier: session, headers: input.headers ?? [:],
            stallTimeoutMs: timeout)
    }

    private func check(url: String) throws {
        let lower = url.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else {
            throw refusal("\"url\" is \"\(url.prefix(80))\", but must start with http:// or https://")
        }
        let authority = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
            .prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard authority.filter({ $0 == "@" }).count <= 1 else {
            throw refusal("\"url\" has several @ before its path, which hides where it leads")
        }
        // Control characters and spaces split a request line; URL parsers differ in what they make of them.
        let isClean = url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
        guard isClean, let parsed = URL(string: url), let host = parsed.host(), !host.isEmpty else {
            throw refusal("\"url\" is \"\(url.prefix(80))\", which is no valid URL with a host")
        }
    }

    private func check(savePath: String) throws {
        guard savePath.contains(where: { !$0.isWhitespace }) else { throw refusal("\"savePath\" is blank") }
        guard savePath.hasPrefix("/") else {
            throw refusal("\"savePath\" is \"\(savePath)\", but must be an absolute path")
        }
        guard !savePath.utf8.contains(0) else { throw refusal("\"savePath\" contains a NUL character") }
        guard !savePath.hasSuffix("/") else {
            throw refusal("\"savePath\" is \"\(savePath)\", which names a folder; add the file's name")
        }
    }

    private func check(header name: String, _ value: String) throws {
        // A field name is a token (RFC 9110, section 5.6.2).
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
        guard isToken else { throw refusal("\"headers\" has the name \"\(name)\", which is no header name") }
        guard !value.utf8.contains(where: { $0 == 0x0d || $0 == 0x0a || $0 == 0 }) else {
            throw refusal("the header \"\(name)\" has a line break or NUL in its value")
        }
    }

    private func refusal(_ reason: String) -> WorkerInputError { WorkerInputError(worker: worker, reason: reason) }
}
