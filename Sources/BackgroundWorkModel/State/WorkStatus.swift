/// The part of a work item that the rules decide on.
package struct WorkStatus: Sendable, Hashable {
    package var state: WorkState
    /// Names the current hand-off; a late outcome of an earlier generation changes nothing.
    package var generation: Int64
    /// Attempts that were started and not undone by a stop or a death.
    package var attempt: Int
    /// How often a process was killed while running it; exits beyond ``toleratedExits`` count as well.
    package var deaths: Int
    /// How often a process exited while running it.
    package var exits: Int

    package init(state: WorkState, generation: Int64, attempt: Int, deaths: Int, exits: Int = 0) {
        self.state = state
        self.generation = generation
        self.attempt = attempt
        self.deaths = deaths
        self.exits = exits
    }

    /// A program that exits while work runs has done nothing wrong, so this is far more than the deaths that work
    /// survives. It is not without limit: work that calls `exit`, or a program that always exits before the work is
    /// done, would go on forever.
    package static let toleratedExits = 100

    /// How often a process was killed while running it.
    package var kills: Int { deaths - max(0, exits - Self.toleratedExits) }

    /// A suspect is run alone, so that its next death shows whether it is the cause.
    package var isSuspect: Bool { deaths >= 2 }
}

extension WorkStatus {
    /// The only function that decides which changes are possible for a work item, and what they result in.
    ///
    /// - Parameter generation: the generation that the change is meant for; `nil` for changes that apply to the item
    ///   whatever its generation (release, cancel, claim).
    package func after(_ change: WorkChange, generation: Int64? = nil) -> WorkTransition {
        if state.isFinished { return afterFinish(change, generation) }
        if let generation, generation != self.generation { return .refused(.outdated) }
        switch change {
        case .released: return state == .blocked ? goes(.pending) : .refused(.notApplicable)
        case .predecessorEnded(let outcome):
            return state == .blocked ? finishes(outcome == .succeeded ? .failed : outcome) : .refused(.notApplicable)
        case .claimed: return state == .pending ? goes(.running) { $0.attempt += 1 } : .refused(.notApplicable)
        case .workerFinished(let outcome):
            return state == .running ? finishes(outcome) : .refused(.notApplicable)
        case .workerRetries: return state == .running ? goes(.pending) : .refused(.notApplicable)
        case .workerSnoozes, .stopped:
            return state == .running
                ? goes(.pending) { $0.attempt = max(0, $0.attempt - 1) } : .refused(.notApplicable)
        case .workerHandedOff: return state == .running ? goes(.handedOff) : .refused(.notApplicable)
        case .outcomeFinal(let outcome):
            // `finishing` is ended only by a move that cannot succeed; success there is `fileMoved`.
            let moveFailed = state == .finishing && outcome == .failed
            return awaitsOutcome || moveFailed ? finishes(outcome) : .refused(unready)
        case .outcomeRetries:
            // From `finishing`: the move failed, so the file has to be downloaded again.
            return awaitsOutcome || state == .finishing
                ? goes(.pending) { $0.generation += 1 } : .refused(.notApplicable)
        case .outcomeIsThere:
            // The attempt that handed it off counts, although its process died before it could report that; also for
            // a file that arrives.
            return state == .pending
                ? goes(.handedOff) { $0.attempt = max(1, $0.attempt) } : .refused(.notApplicable)
        case .fileArrived:
            return awaitsOutcome ? goes(.finishing) { $0.attempt = max(1, $0.attempt) } : .refused(unready)
        case .fileRedirected: return state == .finishing ? goes(.finishing) : .refused(.notApplicable)
        case .fileMoved: return state == .finishing ? finishes(.succeeded) : .refused(.notApplicable)
        case .handOffLost:
            return state == .handedOff
                ? goes(.pending) {
                    $0.generation += 1
                    $0.attempt = max(0, $0.attempt - 1)
                } : .refused(.notApplicable)
        case .sweptAsStale: return state == .handedOff ? finishes(.failed) : .refused(.notApplicable)
        case .ownerDied(let mayRunAgain, let wasAlone):
            return afterOwnerEnded(mayRunAgain, wasAlone) { $0.deaths += 1 }
        case .ownerExited(let mayRunAgain, let wasAlone):
            return afterOwnerEnded(mayRunAgain, wasAlone) {
                $0.exits += 1
                if $0.exits > Self.toleratedExits { $0.deaths += 1 }
            }
        case .tooLateToStart:
            return state == .pending || state == .blocked ? finishes(.skipped) : .refused(.notApplicable)
        case .revived, .blockedAgain: return .refused(.notApplicable)
        case .cancelled: return state == .finishing ? .refused(.tooLate) : finishes(.cancelled)
        }
    }

    /// Only work that did not succeed can be retried; it starts as a new generation, so that a late outcome of the
    /// old one is not applied to it.
    private func afterFinish(_ change: WorkChange, _ generation: Int64?) -> WorkTransition {
        guard state != .succeeded, generation ?? self.generation == self.generation else {
            return .refused(.alreadyFinished)
        }
        switch change {
        case .revived: return goes(.pending) { $0.beginAnew() }
        case .blockedAgain: return goes(.blocked) { $0.beginAnew() }
        default: return .refused(.alreadyFinished)
        }
    }

    /// The status in which recurring work waits for its next occurrence, once one has ended.
    package var recurring: WorkStatus {
        var next = self
        next.state = .pending
        next.beginAnew()
        return next
    }

    private mutating func beginAnew() {
        generation += 1
        attempt = 0
        deaths = 0
        exits = 0
    }

    /// Whether an outcome of the current generation is accepted. It may come before the worker's return was stored
    /// (`running`), or after its process died and the item went back to the queue (`pending`).
    private var awaitsOutcome: Bool { state == .handedOff || state == .running || state == .pending }

    private var unready: WorkTransition.Refusal { state == .finishing ? .tooLate : .notApplicable }

    private func afterOwnerEnded(
        _ mayRunAgain: Bool, _ wasAlone: Bool, _ count: (inout WorkStatus) -> Void
    ) -> WorkTransition {
        // The completion path resumes an interrupted move; the item stays in its state.
        if state == .finishing { return goes(.finishing) }
        guard state == .running else { return .refused(.notApplicable) }
        var counted = self
        count(&counted)
        let isCause = isSuspect && wasAlone && counted.deaths > deaths
        if !mayRunAgain || isCause { return finishes(.failed, count) }
        return goes(.pending) {
            count(&$0)
            $0.attempt = max(0, $0.attempt - 1)
        }
    }

    private func goes(_ state: WorkState, _ adjust: (inout WorkStatus) -> Void = { _ in }) -> WorkTransition {
        var next = self
        next.state = state
        adjust(&next)
        return .continues(next)
    }

    private func finishes(_ outcome: WorkOutcome, _ adjust: (inout WorkStatus) -> Void = { _ in }) -> WorkTransition {
        var next = self
        next.state = WorkState(outcome)
        adjust(&next)
        return .finishes(next, outcome)
    }
}
