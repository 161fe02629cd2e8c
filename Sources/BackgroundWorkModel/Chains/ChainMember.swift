/// One request of a chain with its place in it.
package struct ChainMember: Sendable, Hashable {
    package var id: String
    package var step: Int
    package var index: Int
    package var request: TaskRequest
}
