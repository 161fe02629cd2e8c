/// Which headers of a response are kept: those that users of the outcome or the continuation of a transfer may need.
package enum ResponseHeaderNames {
    /// In lower case.
    package static let kept: Set<String> = [
        "accept-ranges", "cache-control", "content-disposition", "content-encoding", "content-length", "content-type",
        "date", "etag", "last-modified", "location", "retry-after", "server", "tus-resumable", "upload-expires",
        "upload-length", "upload-offset", "www-authenticate", "x-request-id",
    ]
    /// A longer value is left out, in bytes.
    package static let longestValue = 4096
}
