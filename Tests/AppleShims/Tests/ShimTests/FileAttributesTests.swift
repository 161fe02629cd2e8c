import BackgroundWorkFoundation
import Testing

@Suite("File attributes that only Apple has")
struct FileAttributesTests {
    private let folder = try? TemporaryFolder()

    private func file() throws -> String { try #require(folder).file("a", "text") }

    @Test("the protection of a file is kept for it, and not for the next one at its path")
    func protection() throws {
        let path = try file()
        let type = FileProtectionType.completeUntilFirstUserAuthentication
        try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.protectionKey] as? FileProtectionType)?.rawValue == type.rawValue)
        #expect(attributes[.size] != nil)
        // The old file stays, so the new one has another number.
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        #expect(FileAttributesShim.protection(of: try file()) == nil)
    }

    @Test("whether backups contain a file is kept, unless the values do not say it")
    func backup() throws {
        var url = URL(filePath: try file())
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try url.setResourceValues(values)
        try url.setResourceValues(URLResourceValues())
        #expect(FileAttributesShim.isExcludedFromBackup(url.path(percentEncoded: false)))
    }

    @Test("what a test refuses fails, and so does a missing file")
    func refused() throws {
        let path = try file()
        FileAttributesShim.refuse(path, with: CocoaError(.fileWriteNoPermission))
        for path in [path, path + ".none"] {
            #expect(throws: CocoaError.self) {
                try FileManager.default.setAttributes([.protectionKey: FileProtectionType.none], ofItemAtPath: path)
            }
        }
    }
}
