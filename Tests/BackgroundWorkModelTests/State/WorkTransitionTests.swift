import Testing

@testable import BackgroundWorkModel

/// The whole state machine as a table: every state times every change, each with its required result.
struct WorkTransitionTests {
    enum Expected: Hashable {
        case goes(WorkState, generation: Int64 = 3, attempt: Int = 2, deaths: Int = 0, exits: Int = 0)
        case ends(WorkOutcome, deaths: Int = 0, exits: Int = 0)
        case refused(WorkTransition.Refusal)
    }

    static let changes: [WorkChange] =
        [
            .released, .claimed, .workerRetries, .workerHandedOff, .outcomeRetries, .fileArrived, .fileRedirected,
            .fileMoved,
            .outcomeIsThere,
        ]
        + [
            .handOffLost, .sweptAsStale, .stopped, .workerSnoozes, .tooLateToStart, .revived, .blockedAgain, .cancelled,
        ]
        + WorkOutcome.allCases.flatMap { [.predecessorEnded($0), .workerFinished($0), .outcomeFinal($0)] }
        + [true, false].flatMap { mayRunAgain in
            [true, false].flatMap { wasAlone -> [WorkChange] in
                [
                    .ownerDied(mayRunAgain: mayRunAgain, wasAlone: wasAlone),
                    .ownerExited(mayRunAgain: mayRunAgain, wasAlone: wasAlone),
                ]
            }
        }

    /// Combinations that are not listed are rejected as not applicable.
    static func expected(_ state: WorkState, _ change: WorkChange) -> Expected {
        if state.isFinished {
            switch (state, change) {
            case (.succeeded, _): return .refused(.alreadyFinished)
            case (_, .revived): return .goes(.pending, generation: 4, attempt: 0)
            case (_, .blockedAgain): return .goes(.blocked, generation: 4, attempt: 0)
            default: return .refused(.alreadyFinished)
            }
        }
        switch (state, change) {
        case (.blocked, .released): return .goes(.pending)
        case (.blocked, .predecessorEnded(.succeeded)): return .ends(.failed)
        case (.blocked, .predecessorEnded(let outcome)): return .ends(outcome)
        case (.pending, .claimed): return .goes(.running, attempt: 3)
        case (.running, .workerFinished(let outcome)): return .ends(outcome)
        case (.running, .workerRetries): return .goes(.pending)
        case (.running, .workerHandedOff): return .goes(.handedOff)
        case (.running, .stopped), (.running, .workerSnoozes): return .goes(.pending, attempt: 1)
        case (.running, .ownerDied(mayRunAgain: true, _)): return .goes(.pending, attempt: 1, deaths: 1)
        case (.running, .ownerDied(mayRunAgain: false, _)): return .ends(.failed, deaths: 1)
        case (.running, .ownerExited(mayRunAgain: true, _)): return .goes(.pending, attempt: 1, exits: 1)
        case (.running, .ownerExited(mayRunAgain: false, _)): return .ends(.failed, exits: 1)
        case (.pending, .outcomeFinal(let outcome)), (.running, .outcomeFinal(let outcome)),
            (.handedOff, .outcomeFinal(let outcome)):
            return .ends(outcome)
        case (.finishing, .outcomeFinal(.failed)): return .ends(.failed)
        case (.finishing, .outcomeFinal): return .refused(.tooLate)
        case (.pending, .outcomeRetries), (.running, .outcomeRetries), (.handedOff, .outcomeRetries),
            (.finishing, .outcomeRetries):
            return .goes(.pending, generation: 4)
        case (.pending, .fileArrived), (.running, .fileArrived), (.handedOff, .fileArrived): return .goes(.finishing)
        case (.pending, .outcomeIsThere): return .goes(.handedOff)
        case (.finishing, .fileArrived): return .refused(.tooLate)
        case (.finishing, .fileRedirected): return .goes(.finishing)
        case (.finishing, .fileMoved): return .ends(.succeeded)
        case (.finishing, .ownerDied), (.finishing, .ownerExited): return .goes(.finishing)
        case (.finishing, .cancelled): return .refused(.tooLate)
        case (.handedOff, .handOffLost): return .goes(.pending, generation: 4, attempt: 1)
        case (.pending, .tooLateToStart), (.blocked, .tooLateToStart): return .ends(.skipped)
        case (.handedOff, .sweptAsStale): return .ends(.failed)
        case (_, .cancelled): return .ends(.cancelled)
        default: return .refused(.notApplicable)
        }
    }

    @Test("every state times every change", arguments: WorkState.allCases, changes)
    func table(state: WorkState, change: WorkChange) {
        let status = WorkStatus(state: state, generation: 3, attempt: 2, deaths: 0)
        let actual: Expected =
            switch status.after(change, generation: 3) {
            case .continues(let next):
                .goes(
                    next.state, generation: next.generation, attempt: next.attempt, deaths: next.deaths,
                    exits: next.exits)
            case .finishes(let next, let outcome):
                next.state == WorkState(outcome)
                    ? .ends(outcome, deaths: next.deaths, exits: next.exits) : .goes(next.state)
            case .refused(let refusal): .refused(refusal)
            }
        #expect(actual == Self.expected(state, change))
    }

    @Test("a change meant for another generation changes nothing", arguments: WorkState.allCases, changes)
    func outdated(state: WorkState, change: WorkChange) {
        let status = WorkStatus(state: state, generation: 3, attempt: 2, deaths: 0)
        for generation: Int64 in [2, 4] {
            let expected: WorkTransition = .refused(state.isFinished ? .alreadyFinished : .outdated)
            #expect(status.after(change, generation: generation) == expected)
        }
    }

    @Test("the third death fails work only when it ran alone")
    func poison() {
        var status = WorkStatus(state: .running, generation: 1, attempt: 1, deaths: 0)
        for deaths in 1...2 {
            guard case .continues(let next) = status.after(.ownerDied(mayRunAgain: true, wasAlone: true)) else {
                Issue.record("death \(deaths) must not fail the work")
                return
            }
            #expect(next.deaths == deaths)
            #expect(next.isSuspect == (deaths == 2))
            status = next
            status.state = .running
        }
        #expect(
            status.after(.ownerDied(mayRunAgain: true, wasAlone: false))
                == .continues(WorkStatus(state: .pending, generation: 1, attempt: 0, deaths: 3)))
        #expect(
            status.after(.ownerDied(mayRunAgain: true, wasAlone: true))
                == .finishes(WorkStatus(state: .failed, generation: 1, attempt: 0, deaths: 3), .failed))
    }

    @Test("an exit is not a death, until there have been so many that the work or its program is the cause")
    func exits() {
        var status = WorkStatus(state: .running, generation: 1, attempt: 1, deaths: 0)
        for exits in 1...WorkStatus.toleratedExits {
            guard case .continues(let next) = status.after(.ownerExited(mayRunAgain: true, wasAlone: true)) else {
                Issue.record("exit \(exits) must not fail the work")
                return
            }
            #expect(next.exits == exits && next.deaths == 0 && next.attempt == 0 && next.state == .pending)
            status = next
            status.state = .running
            status.attempt = 1
        }
        // From now on each one counts as a death.
        for deaths in 1...2 {
            guard case .continues(let next) = status.after(.ownerExited(mayRunAgain: true, wasAlone: true)) else {
                Issue.record("the work must run alone first")
                return
            }
            #expect(next.deaths == deaths && next.kills == 0)
            #expect(next.isSuspect == (deaths == 2))
            status = next
            status.state = .running
        }
        guard case .finishes(let last, .failed) = status.after(.ownerExited(mayRunAgain: true, wasAlone: true)) else {
            Issue.record("the work must fail")
            return
        }
        #expect(last.exits == WorkStatus.toleratedExits + 3 && last.kills == 0)
    }

    @Test("an exit does not fail work that is suspected of deaths")
    func exitOfSuspect() {
        let suspect = WorkStatus(state: .running, generation: 1, attempt: 1, deaths: 2)
        #expect(
            suspect.after(.ownerExited(mayRunAgain: true, wasAlone: true))
                == .continues(WorkStatus(state: .pending, generation: 1, attempt: 0, deaths: 2, exits: 1)))
    }

    @Test("an attempt whose process died after the hand-off is counted when its outcome arrives")
    func attemptOfTheHandOff() {
        let pending = WorkStatus(state: .pending, generation: 1, attempt: 0, deaths: 1)
        #expect(
            pending.after(.outcomeIsThere)
                == .continues(WorkStatus(state: .handedOff, generation: 1, attempt: 1, deaths: 1)))
        #expect(
            pending.after(.fileArrived)
                == .continues(WorkStatus(state: .finishing, generation: 1, attempt: 1, deaths: 1)))
    }

    @Test("recurring work begins each occurrence as a new generation with all its attempts")
    func recurring() {
        let ended = WorkStatus(state: .failed, generation: 7, attempt: 4, deaths: 2, exits: 5)
        #expect(ended.recurring == WorkStatus(state: .pending, generation: 8, attempt: 0, deaths: 0))
    }
}
