/// The steps of a chain, each a list of requests that run in parallel, and the rules for naming its members.
package struct ChainSteps: Sendable, Hashable {
    package var steps: [[TaskRequest]]

    package init(_ steps: [[TaskRequest]]) { self.steps = steps }

    package static func memberID(chain: String, step: Int, index: Int) -> String { "\(chain)/\(step).\(index)" }

    /// The requests with their ids and places, in order.
    package func members(chainID: String) -> [ChainMember] {
        steps.enumerated().flatMap { step, requests in
            requests.enumerated().map { index, request in
                ChainMember(
                    id: Self.memberID(chain: chainID, step: step, index: index), step: step, index: index,
                    request: request)
            }
        }
    }
}
