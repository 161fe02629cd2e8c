import BackgroundWorkFoundation
import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWorkDevice

/// The reader of Apple's platforms, over systems that the tests set. They have one state for all tests.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppleDeviceTests {
    @Test("no program is told whether the device is idle")
    func idle() async {
        let state = await PlatformDeviceState(directory: "/").state().restricted(to: .deviceIdle)
        #expect(
            state == .unreadable(.deviceIdle, because: "the system tells no program whether the device is idle"))
    }

    @Test("space that the system would make counts as available, and otherwise what the volume has")
    func storage() throws {
        let folder = try TemporaryFolder()
        DeviceShim.importantCapacity = nil
        let plain = try VolumeSpace(of: folder.path)
        #expect(plain.size > 0 && plain.available <= plain.size)
        DeviceShim.importantCapacity = Int64(plain.size) * 2
        #expect(try VolumeSpace(of: folder.path).available == plain.size * 2)
        DeviceShim.importantCapacity = 0
        #expect(try VolumeSpace(of: folder.path).available > 0)
        DeviceShim.importantCapacity = nil
    }
}
