public import Foundation

extension URL {
    /// doc: foundation/url/applicationsupportdirectory
    public static var applicationSupportDirectory: URL { directory(.applicationSupportDirectory) }

    /// doc: foundation/url/documentsdirectory
    public static var documentsDirectory: URL { directory(.documentDirectory) }

    private static func directory(_ kind: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: kind, in: .userDomainMask).first ?? .homeDirectory
    }
}
