import BackgroundWorkFoundation
import Foundation

extension VolumeSpace {
    /// Of the volume that `path` lies on.
    package init(of path: String) throws(VolumeQueryError) {
        do {
            // A URL caches its values, so each query has a URL of its own.
            self = try Self.query(URL(filePath: path))
        } catch let error as VolumeQueryError {
            throw error
        } catch {
            throw VolumeQueryError(description: error.localizedDescription)
        }
    }

    #if BACKGROUNDWORK_HAS_IMPORTANT_CAPACITY
    private static func query(_ url: URL) throws -> VolumeSpace {
        let values = try url.resourceValues(forKeys: [
            .volumeTotalCapacityKey, .volumeAvailableCapacityKey, .volumeAvailableCapacityForImportantUsageKey,
        ])
        return try VolumeSpace(
            total: values.volumeTotalCapacity, available: values.volumeAvailableCapacity,
            forImportantUsage: values.volumeAvailableCapacityForImportantUsage)
    }
    #else
    private static func query(_ url: URL) throws -> VolumeSpace {
        let values = try url.resourceValues(forKeys: [.volumeTotalCapacityKey, .volumeAvailableCapacityKey])
        return try VolumeSpace(
            total: values.volumeTotalCapacity, available: values.volumeAvailableCapacity, forImportantUsage: nil)
    }
    #endif
}
