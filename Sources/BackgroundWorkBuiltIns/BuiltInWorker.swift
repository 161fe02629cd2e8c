import BackgroundWorkModel

/// A worker that every registry has.
package protocol BuiltInWorker: Worker {
    /// Creates a worker for one run.
    init(_ services: BuiltInServices)
}

/// All of them, apart from those that hand transfers to the platform's daemon.
package enum BuiltInWorkers {
    package static let all: [any BuiltInWorker.Type] = [
        FileCompressionWorker.self,
        FileExtractionWorker.self,
        HttpDownloadWorker.self,
        HttpRequestWorker.self,
        HttpSyncWorker.self,
        HttpUploadWorker.self,
        ParallelHttpDownloadWorker.self,
        ParallelHttpUploadWorker.self,
    ]

    /// The name under which work of the Kotlin ancestor names a worker.
    package static func ancestorName(of name: String) -> String {
        "dev.brewkits.kmpworkmanager.workers.builtins." + name
    }
}
