import BackgroundWorkTransfers

/// Which downloads Foundation lets another task continue
/// (https://developer.apple.com/documentation/foundation/urlsessiondownloadtask/cancel(byproducingresumedata:)).
enum ContinuationRules {
    static func allow(_ specification: TransferSpecification, after response: URLResponse?) -> Bool {
        guard case .download(let job) = specification.job, job.isResumable,
            !specification.options.headers.keys.contains(where: { $0.lowercased() == "range" }),
            let response = response as? HTTPURLResponse
        else { return false }
        let hasRanges =
            response.statusCode == 206
            || response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes"
                && response.statusCode == 200
        return hasRanges && ["ETag", "Last-Modified"].contains { response.value(forHTTPHeaderField: $0) != nil }
    }
}
