#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The volume on which a file was to be put has been unmounted, and its path leads to another one.
package struct VolumeGoneError: Error, Hashable, CustomStringConvertible {
    /// Where the file was to be put.
    package var folder: String
    /// Where the volume was mounted.
    package var mountPoint: String
    /// Where the volume is mounted that the path leads to now.
    package var beneath: String

    package var description: String {
        "When this was handed off, \(folder) was on the volume mounted at \(mountPoint); nothing is mounted there now, and "
            + "the path leads to the volume mounted at \(beneath), where nothing was put. Mount the volume and enqueue the "
            + "request again."
    }
}

extension VolumeGoneError: LocalizedError {
    /// The same as `description`.
    package var errorDescription: String? { description }
}
