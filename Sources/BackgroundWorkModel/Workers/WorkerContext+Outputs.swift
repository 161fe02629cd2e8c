extension WorkerContext {
    /// The output of this type from the nearest earlier step of the chain.
    ///
    /// ```swift
    /// let download = try await context.output(of: DownloadOutput.self)
    /// ```
    ///
    /// The previous step is searched first, then the one before that, and so on. Where branches join, the last steps
    /// of all of them are one step back. An output is of a type if it decodes as it, so nearly any output matches a
    /// type whose members are all optional. Outputs are read from the work database.
    ///
    /// Throws ``WorkerOutputError/ambiguous(type:workIDs:)`` if several requests of the nearest such step have one,
    /// and ``WorkerOutputError/notFound(type:workID:)`` if no earlier step has; uncaught, either fails the request.
    /// Throws the database's error when it cannot be read.
    public func output<Output: Decodable & Sendable>(of type: Output.Type) async throws -> Output {
        var level = try await services.outputs(beforeStep: stepIndex)
        var seen: Set<Int> = []
        while !level.isEmpty {
            let found = level.flatMap { $0.fitting(type) }
            if found.count > 1 {
                throw WorkerOutputError.ambiguous(
                    type: WorkerOutputError.name(of: type), workIDs: found.map(\.workID))
            }
            if let only = found.first { return only.output }
            seen.formUnion(level.map(\.step))
            var earlier: [StepOutputs] = []
            for step in level {
                for further in try await services.outputs(beforeStep: step.step)
                where seen.insert(further.step).inserted { earlier.append(further) }
            }
            level = earlier
        }
        throw WorkerOutputError.notFound(type: WorkerOutputError.name(of: type), workID: workID)
    }

    /// The outputs of an earlier step of the chain, one for each of its requests in their order; `nil` for a request
    /// that has none.
    ///
    /// ```swift
    /// let parts = try await context.outputs(ofStep: 0, as: Part.self)  // parts[2] is that of the third request
    /// ```
    ///
    /// Throws ``WorkerOutputError/notEarlier(step:workID:)`` for a step that does not come before this one, and
    /// ``WorkerOutputError/mismatch(type:workID:reason:)`` for an output that does not decode as the type; uncaught,
    /// either fails the request. Throws the database's error when it cannot be read.
    ///
    /// - Parameter step: counted from 0, as ``stepIndex`` is; in a chain with branches, through all of them.
    public func outputs<Output: Decodable & Sendable>(
        ofStep step: Int, as type: Output.Type
    ) async throws -> [Output?] {
        guard let outputs = try await services.outputs(ofStep: step) else {
            throw WorkerOutputError.notEarlier(step: step, workID: workID)
        }
        return try outputs.all(type)
    }
}

/// The outputs of the requests of one step of a chain.
package struct StepOutputs: Sendable, Hashable {
    package var chainID: String
    package var step: Int
    /// In the order of the requests; `nil` for one that has no output or has not succeeded.
    package var outputs: [String?]

    package init(chainID: String, step: Int, outputs: [String?]) {
        self.chainID = chainID
        self.step = step
        self.outputs = outputs
    }

    /// Those that decode as the type, each with the id of its work.
    func fitting<Output: Decodable>(_ type: Output.Type) -> [(workID: String, output: Output)] {
        outputs.indices.compactMap { index in
            guard let json = outputs[index], let output = try? JSONCoding.value(type, from: json) else { return nil }
            return (memberID(index), output)
        }
    }

    /// A value for each request, in their order. Throws for an output of another type.
    func all<Output: Decodable>(_ type: Output.Type) throws(WorkerOutputError) -> [Output?] {
        var values: [Output?] = []
        for (index, json) in outputs.enumerated() {
            values.append(try Self.decode(type, from: json, of: memberID(index)))
        }
        return values
    }

    private func memberID(_ index: Int) -> String { ChainSteps.memberID(chain: chainID, step: step, index: index) }

    /// The output of one work item, decoded; `nil` if there is none.
    package static func decode<Output: Decodable>(
        _ type: Output.Type, from json: String?, of workID: String
    ) throws(WorkerOutputError) -> Output? {
        guard let json else { return nil }
        do {
            return try JSONCoding.value(type, from: json)
        } catch {
            throw .mismatch(
                type: WorkerOutputError.name(of: type), workID: workID, reason: JSONCoding.words(for: error, in: json))
        }
    }
}
