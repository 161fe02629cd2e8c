import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWorkDevice

struct StorageConditionTests {
    @Test("a small volume is low when less than a twentieth is free")
    func smallVolume() {
        #expect(VolumeSpace(size: 2_000_000_000, available: 99_999_999).isLow)
        #expect(!VolumeSpace(size: 2_000_000_000, available: 100_000_000).isLow)
    }

    @Test("a large volume is low when less than 500 MB are free")
    func largeVolume() {
        #expect(VolumeSpace(size: 4_000_000_000_000, available: 499_999_999).isLow)
        #expect(!VolumeSpace(size: 4_000_000_000_000, available: 500_000_000).isLow)
        #expect(!VolumeSpace(size: .max, available: .max).isLow)
    }

    @Test("a volume that claims no size is never low")
    func noSize() { #expect(!VolumeSpace(size: 0, available: 0).isLow) }

    @Test("the system tells about the volume of a real folder")
    func realVolume() throws {
        let folder = try TemporaryFolder()
        let space = try #require(VolumeSpace(of: folder.path))
        #expect(space.size > 0)
        #expect(space.available <= space.size)
    }

    @Test("a volume that cannot be queried counts as having room, with a note")
    func unknown() {
        let condition = StorageCondition(directory: "/no/such/folder", timers: HandTimers())
        #expect(condition.read() == .storageNotLow)
        #expect(
            condition.notes == [
                "Storage counts as free: the volume of /no/such/folder cannot be queried (No such file or directory)."
            ])
    }
}
