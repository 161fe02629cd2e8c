import Testing

@testable import BackgroundWorkAgent

struct SyncChoiceTests {
    static let ext4: Int64 = 0xEF53
    static let fuse: Int64 = 0x6573_5546

    static let rows: [(choice: SyncChoice, isPreferred: Bool)] = [
        (SyncChoice(files: 7, unwrittenBytes: 0, fileSystemType: ext4), false),
        (SyncChoice(files: 8, unwrittenBytes: 0, fileSystemType: ext4), true),
        (SyncChoice(files: 8, unwrittenBytes: 2 << 20, fileSystemType: ext4), true),
        (SyncChoice(files: 8, unwrittenBytes: (2 << 20) + 1, fileSystemType: ext4), false),
        (SyncChoice(files: 64, unwrittenBytes: 16 << 20, fileSystemType: ext4), true),
        (SyncChoice(files: 64, unwrittenBytes: 1 << 30, fileSystemType: ext4), false),
        (SyncChoice(files: 64, unwrittenBytes: 0, fileSystemType: fuse), false),
    ]

    @Test(
        "one sync of the file system is for many files, while little else waits, where it is known to be reliable",
        arguments: rows)
    func choice(choice: SyncChoice, isPreferred: Bool) {
        #expect(choice.prefersWholeFileSystem == isPreferred)
    }

    @Test("what the system has not written is the sum of two lines, in kilobytes")
    func lines() {
        let text = "MemTotal:  100 kB\nDirty:               124 kB\nWriteback:             4 kB\nWritebackTmp:  9 kB\n"
        #expect(UnwrittenPages.bytes(in: Array(text.utf8)) == 128 << 10)
        #expect(UnwrittenPages.bytes(in: Array("Dirty: 1 kB\n".utf8)) == nil)
        #expect(UnwrittenPages.bytes(in: Array("Dirty: x kB\nWriteback: 1 kB\n".utf8)) == nil)
        #expect(UnwrittenPages.bytes(in: []) == nil)
    }

    @Test("this system reports it")
    func here() throws {
        #expect(try #require(UnwrittenPages.bytes()) >= 0)
    }
}
