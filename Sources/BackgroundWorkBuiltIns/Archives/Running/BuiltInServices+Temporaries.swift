import BackgroundWorkFiles
import BackgroundWorkModel

extension BuiltInServices {
    /// Runs what has these temporaries. They are recorded before, so that those of work that ends without a further run,
    /// by the death of its process for example, are removed.
    func recording<Value>(
        _ temporaries: [String], _ context: WorkerContext, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let partialFiles, let key = context.handOffToken.key else { return try await body() }
        try await partialFiles.add(
            temporaries: temporaries, of: key, allowedDirectories: FileRules(securityPolicy).allowedDirectories)
        let value = try await body()
        // After an error there may be another run, or something may be left.
        await partialFiles.forget(key)
        return value
    }
}
