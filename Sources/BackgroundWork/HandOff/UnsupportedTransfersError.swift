import BackgroundWorkFoundation

/// This platform's daemon is not served by this version of the package.
public struct UnsupportedTransfersError: Error, Hashable, CustomStringConvertible {
    /// What is missing, and where it works.
    public var description: String {
        "Background transfers are available on Linux in this version; background URLSession is not yet."
    }
}

extension UnsupportedTransfersError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
