import BackgroundWorkFoundation
import BackgroundWorkSystem
import TestSupport
import Testing

@testable import BackgroundWorkFiles

struct FileAttributesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    @Test("a folder is excluded from backups, and included again")
    func backup() throws {
        try FileAttributes.setExcludedFromBackup(true, folder: folder.path)
        #expect(FileAttributesShim.isExcludedFromBackup(folder.path))
        try FileAttributes.setExcludedFromBackup(false, folder: folder.path)
        #expect(!FileAttributesShim.isExcludedFromBackup(folder.path))
        #expect(throws: CocoaError.self) { try FileAttributes.setExcludedFromBackup(true, folder: path("none")) }
    }

    #if BACKGROUNDWORK_HAS_DATA_PROTECTION
    private static let usable = FileProtectionType.completeUntilFirstUserAuthentication

    private func makeFile(_ name: String, _ protection: FileProtectionType? = .complete) {
        #expect(FileManager.default.createFile(atPath: path(name), contents: Data()))
        if let protection { FileAttributesShim.setProtection(protection, of: path(name)) }
    }

    private func protection(_ name: String) -> String? { FileAttributesShim.protection(of: path(name))?.rawValue }

    @Test("a folder and what is in it can be used while the device is locked; what is not the package's stays")
    func folderAndContents() throws {
        try Folder.create(path("inner"))
        FileAttributesShim.setProtection(.complete, of: folder.path)
        for name in ["a", "inner/b", "foreign", "inner/any"] { makeFile(name) }
        #expect(SystemFile.makePipe(at: path("pipe")))
        try FileAttributes.allowBackgroundUse(ofFolder: folder.path) { $0 != "foreign" }
        for name in ["a", "inner", "inner/b", "inner/any"] {
            #expect(protection(name) == Self.usable.rawValue, "\(name)")
        }
        #expect(FileAttributesShim.protection(of: folder.path)?.rawValue == Self.usable.rawValue)
        #expect(protection("foreign") == FileProtectionType.complete.rawValue)
        #expect(protection("pipe") == nil)
    }

    @Test(
        "each stricter class is changed; one that somebody has chosen for use before the first unlock is kept",
        arguments: [
            (FileProtectionType.complete, usable), (.completeUnlessOpen, usable), (usable, usable), (.none, .none),
        ])
    func classes(before: FileProtectionType, after: FileProtectionType) throws {
        makeFile("a", before)
        try FileAttributes.allowBackgroundUse(ofFile: path("a"))
        #expect(protection("a") == after.rawValue)
    }

    @Test("a file that cannot be changed now is changed the next time, because the folder comes last")
    func refused() throws {
        FileAttributesShim.setProtection(.complete, of: folder.path)
        makeFile("a")
        FileAttributesShim.refuse(path("a"), with: CocoaError(.fileWriteNoPermission))
        #expect(throws: CocoaError.self) { try FileAttributes.allowBackgroundUse(ofFolder: folder.path) }
        #expect(FileAttributesShim.protection(of: folder.path)?.rawValue == FileProtectionType.complete.rawValue)
        FileAttributesShim.refuse(path("a"), with: nil)
        try FileAttributes.allowBackgroundUse(ofFolder: folder.path)
        #expect(protection("a") == Self.usable.rawValue)
        #expect(FileAttributesShim.protection(of: folder.path)?.rawValue == Self.usable.rawValue)
    }

    @Test("a file is withheld when it is refused although its permissions allow it")
    func withheld() {
        makeFile("a", nil)
        #expect(FileAttributes.isWithheld(path("a"), code: EPERM))
        // To be created.
        #expect(FileAttributes.isWithheld(path("new"), code: EPERM))
        #expect(!FileAttributes.isWithheld(path("a"), code: EACCES))
        #expect(!FileAttributes.isWithheld(path("none/new"), code: EPERM))
    }
    #endif
}
