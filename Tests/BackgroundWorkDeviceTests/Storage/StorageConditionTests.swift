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
        let space = try VolumeSpace(of: folder.path)
        #expect(space.size > 0)
        #expect(space.available <= space.size)
    }

    @Test("the space that the system would make for important usage counts as available")
    func importantUsage() throws {
        #expect(try VolumeSpace(total: 9, available: 2, forImportantUsage: 5) == VolumeSpace(size: 9, available: 5))
        #expect(try VolumeSpace(total: 9, available: 2, forImportantUsage: 0) == VolumeSpace(size: 9, available: 2))
        #expect(try VolumeSpace(total: 9, available: 2, forImportantUsage: nil) == VolumeSpace(size: 9, available: 2))
        #expect(try VolumeSpace(total: 9, available: -1, forImportantUsage: nil) == VolumeSpace(size: 9, available: 0))
    }

    @Test("a volume that does not report its size, or its space, cannot be queried")
    func noCapacity() {
        #expect(throws: VolumeQueryError.self) { try VolumeSpace(total: nil, available: 2, forImportantUsage: 5) }
        #expect(throws: VolumeQueryError.self) { try VolumeSpace(total: 9, available: nil, forImportantUsage: nil) }
    }

    @Test("a volume that cannot be queried is named, with the reason")
    func unknown() {
        let folder = "/no/such/folder"
        let state = StorageCondition(directory: folder, timers: HandTimers()).read()
        #expect(state.satisfied == [])
        #expect(state.unmet(.storageNotLow) == [])
        #expect(state.unreadable.map(\.conditions) == [.storageNotLow])
        // The systems word it differently.
        #expect(state.unreadable.first?.reason.hasPrefix("the volume of \(folder) cannot be queried: ") == true)
    }
}
