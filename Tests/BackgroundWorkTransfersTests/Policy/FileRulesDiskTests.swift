import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation
import TestSupport
import Testing

@Suite("Files on the disk, under a policy")
struct FileRulesDiskTests {
    @Test("an allowed folder that leads nowhere allows nothing, and the others still do")
    func unresolvable() throws {
        let folder = try TemporaryFolder()
        let (good, file, loop) = (folder.path + "/good", folder.path + "/file", folder.path + "/loop")
        try FileManager.default.createDirectory(atPath: good, withIntermediateDirectories: false)
        try Data([1]).write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let rules = FileRules(allowedDirectories: [good, file + "/below", loop])
        #expect(throws: Never.self) { try rules.openFolder(good, creating: false) }
        #expect(throws: RefusedPathError.self) { try rules.openForReading(file) }
    }
}
