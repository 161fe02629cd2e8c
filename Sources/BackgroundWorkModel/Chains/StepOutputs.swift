/// What the requests of one step of a chain gave.
package struct StepOutputs: Sendable, Hashable {
    package var chainID: String
    package var step: Int
    /// In the order of the requests; `nil` for one that gave nothing or has not succeeded.
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

    /// The output of one piece of work as a value; `nil` if there is none.
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
