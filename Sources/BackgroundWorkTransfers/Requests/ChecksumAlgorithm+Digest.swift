import BackgroundWorkFiles

extension ChecksumAlgorithm {
    /// What computes it.
    package var digest: DigestAlgorithm {
        switch self {
        case .md5: .md5
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
