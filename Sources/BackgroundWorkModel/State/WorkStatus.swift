/// The part of a work item that the rules decide on.
package struct WorkStatus: Sendable, Hashable {
    package var state: WorkState
    /// Names the current hand-off; a late outcome of an earlier generation changes nothing.
    package var generation: Int64
    /// Attempts begun and not taken back by a stop or a death.
    package var attempt: Int
    /// How often a process died while running it.
    package var deaths: Int

    package init(state: WorkState, generation: Int64, attempt: Int, deaths: Int) {
        self.state = state
        self.generation = generation
        self.attempt = attempt
        self.deaths = deaths
    }

    /// A suspect is run alone, so that its next death tells whether it is the culprit.
    package var isSuspect: Bool { deaths >= 2 }
}
