public import Foundation
import Synchronization

extension DeviceShim {
    /// The answer of `volumeAvailableCapacityForImportantUsage`, for all volumes; `nil` as for one that reports none.
    public static var importantCapacity: Int64? {
        get { capacity.withLock { $0 } }
        set { capacity.withLock { $0 = newValue } }
    }

    private static let capacity = Mutex<Int64?>(nil)
}

extension Foundation.URLResourceKey {
    /// doc: foundation/urlresourcekey/volumeavailablecapacityforimportantusagekey; not on Linux, which ignores it
    public static let volumeAvailableCapacityForImportantUsageKey =
        Foundation.URLResourceKey("NSURLVolumeAvailableCapacityForImportantUsageKey")
}

extension URLResourceValues {
    /// doc: foundation/urlresourcevalues/volumeavailablecapacityforimportantusage; not on Linux
    public var volumeAvailableCapacityForImportantUsage: Int64? { DeviceShim.importantCapacity }
}
