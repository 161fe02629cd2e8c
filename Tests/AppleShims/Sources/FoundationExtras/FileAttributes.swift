public import Foundation
import Synchronization

/// What a test sees and sets of the attributes that only Apple's file systems have.
///
/// A file is known by its path and its number, so its attributes go with it, and a new file at the path has none. What
/// a file takes from its folder when it is created, is not played.
public enum FileAttributesShim {
    /// `nil` unless it was set.
    public static func protection(of path: String) -> FileProtectionType? {
        File(path).flatMap { file in files.withLock { $0[file]?.protection } }
    }

    /// Sets it as the system or an app does.
    public static func setProtection(_ type: FileProtectionType, of path: String) {
        change(path) { $0.protection = type }
    }

    /// False unless it was set.
    public static func isExcludedFromBackup(_ path: String) -> Bool {
        File(path).flatMap { file in files.withLock { $0[file]?.isExcludedFromBackup } } ?? false
    }

    /// From now on setting an attribute of the file fails with the error; `nil`: succeeds.
    public static func refuse(_ path: String, with error: CocoaError?) {
        change(path) { $0.error = error }
    }

    struct Attributes: Sendable {
        var protection: FileProtectionType?
        var isExcludedFromBackup = false
        var error: CocoaError?
    }

    private struct File: Hashable {
        var path: String
        var number: Int

        init?(_ path: String) {
            let attributes = try? FileManager.default.FoundationEssentials::attributesOfItem(atPath: path)
            guard let number = (attributes?[.systemFileNumber] as? NSNumber)?.intValue else { return nil }
            self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            self.number = number
        }
    }

    private static let files = Mutex<[File: Attributes]>([:])

    private static func change(_ path: String, _ body: (inout Attributes) -> Void) {
        guard let file = File(path) else { return }
        files.withLock { body(&$0[file, default: Attributes()]) }
    }

    static func set(_ path: String, _ body: (inout Attributes) -> Void) throws {
        guard let file = File(path) else { throw CocoaError(.fileNoSuchFile) }
        try files.withLock { files in
            if let error = files[file]?.error { throw error }
            body(&files[file, default: Attributes()])
        }
    }
}

extension FileManager {
    /// doc: foundation/filemanager/attributesofitem(atpath:); Linux's has no protection
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
        var attributes = try self.FoundationEssentials::attributesOfItem(atPath: path)
        if let protection = FileAttributesShim.protection(of: path) { attributes[.protectionKey] = protection }
        return attributes
    }

    /// doc: foundation/filemanager/setattributes(_:ofitematpath:), which takes any values; Linux's ignores protection
    public func setAttributes(_ attributes: [FileAttributeKey: FileProtectionType], ofItemAtPath path: String) throws {
        try FileAttributesShim.set(path) { $0.protection = attributes[.protectionKey] ?? $0.protection }
    }
}

/// For files that do not import Foundation itself.
public typealias URLResourceValues = Foundation.URLResourceValues

extension URL {
    /// doc: foundation/url/setresourcevalues(_:); Linux's ignores whether backups contain the file
    public mutating func setResourceValues(_ values: URLResourceValues) throws {
        try FileAttributesShim.set(path(percentEncoded: false)) { attributes in
            attributes.isExcludedFromBackup = values.isExcludedFromBackup ?? attributes.isExcludedFromBackup
        }
        try self.Foundation::setResourceValues(values)
    }
}
