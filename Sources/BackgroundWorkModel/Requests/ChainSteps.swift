/// The steps of a chain, each a list of requests that run in parallel, what each step waits for, and the rules for
/// naming its members.
package struct ChainSteps: Sendable, Hashable, Codable {
    package var steps: [[TaskRequest]]
    /// For each step the steps that it waits for; `nil` for a chain without branches, where that is the previous one.
    package private(set) var links: [[Int]]?

    package init(_ steps: [[TaskRequest]], links: [[Int]]? = nil) {
        self.steps = steps
        self.links = links
    }

    package static func memberID(chain: String, step: Int, index: Int) -> String { "\(chain)/\(step).\(index)" }

    /// The steps that must be complete before this one starts.
    package func predecessors(of step: Int) -> [Int] {
        if let links { return step < links.count ? links[step] : [] }
        return step == 0 ? [] : [step - 1]
    }

    /// The requests with their ids and positions, in order.
    package func members(chainID: String) -> [ChainMember] {
        steps.enumerated().flatMap { step, requests in
            requests.enumerated().map { index, request in
                ChainMember(
                    id: Self.memberID(chain: chainID, step: step, index: index), step: step, index: index,
                    request: request)
            }
        }
    }

    /// The steps that no other step waits for.
    package var ends: [Int] {
        let waitedFor = Set(steps.indices.flatMap(predecessors(of:)))
        return steps.indices.filter { !waitedFor.contains($0) }
    }

    /// Adds a step, which waits for all current ends.
    package mutating func append(_ requests: [TaskRequest]) {
        if links != nil {
            let ends = ends
            links?.append(ends)
        }
        steps.append(requests)
    }

    /// In parallel: none of them waits for another, and the next step waits for all.
    package static func combined(_ chains: [ChainSteps]) -> ChainSteps {
        if chains.count == 1 { return chains[0] }
        var steps: [[TaskRequest]] = []
        var links: [[Int]] = []
        for chain in chains {
            let offset = steps.count
            links += chain.steps.indices.map { step in chain.predecessors(of: step).map { $0 + offset } }
            steps += chain.steps
        }
        return ChainSteps(steps, links: links)
    }
}

extension ChainSteps {
    /// The chain that gives this id to one of its members, by the form of the id alone; `nil` for an id that does not
    /// have a member's form.
    package static func chain(ofMember id: String) -> String? {
        let bytes = id.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash != bytes.startIndex else { return nil }
        let place = bytes[bytes.index(after: slash)...].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPlace =
            place.count == 2
            && place.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
            }
        return isPlace ? String(id[..<slash]) : nil
    }
}

/// One request of a chain with its position.
package struct ChainMember: Sendable, Hashable {
    package var id: String
    package var step: Int
    package var index: Int
    package var request: TaskRequest
}
