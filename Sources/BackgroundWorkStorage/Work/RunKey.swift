/// Names one run of an item: numbers, so that looking it up costs little.
package struct RunKey: Sendable, Hashable {
    package var sequence: Int64
    package var generation: Int64

    package init(sequence: Int64, generation: Int64) {
        self.sequence = sequence
        self.generation = generation
    }
}
