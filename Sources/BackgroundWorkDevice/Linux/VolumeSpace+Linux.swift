import BackgroundWorkSystem

extension VolumeSpace {
    /// Of the volume that `path` lies on, by statvfs(3); what is available does not include the space reserved for root.
    package init(of path: String) throws(VolumeQueryError) {
        var answer = statvfs()
        guard statvfs(path, &answer) == 0 else { throw VolumeQueryError(description: String(cString: strerror(errno))) }
        self.init(
            size: Self.bytes(answer.f_blocks, of: answer.f_frsize),
            available: Self.bytes(answer.f_bavail, of: answer.f_frsize))
    }

    /// Network file systems may report more than fits into 64 bits.
    private static func bytes(_ blocks: UInt, of size: UInt) -> UInt64 {
        let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(size))
        return overflow ? .max : bytes
    }
}
