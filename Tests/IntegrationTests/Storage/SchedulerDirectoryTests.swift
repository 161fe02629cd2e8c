import BackgroundWork
import Foundation
import Testing

/// The directory that a scheduler is created on.
@Suite(.serialized, .fewAtATime)
struct SchedulerDirectoryTests {
    @Test("a directory that cannot be made is an error when the scheduler is created, and names it")
    func unusableDirectory() throws {
        let place = try Workplace()
        let file = place.folder.path + "/plain"
        try Data().write(to: URL(filePath: file))
        let error = #expect(throws: FileError.self) {
            try place.scheduler { $0.directory = URL(filePath: file + "/scheduler") }
        }
        #expect(error?.description.contains(file) == true)
    }
}
