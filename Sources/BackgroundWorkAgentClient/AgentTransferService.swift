import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Synchronization

/// `TransferService` by the agent of a directory: starts it when it is needed, and again when it has died.
package actor AgentTransferService: TransferService {
    private let paths: AgentPaths
    private let store: String
    private let launchCommand: LaunchCommand?
    private let limits: TransferLimits?
    private let takesOutcomes: Bool
    private let clock: any WorkClock
    private let patience: AgentPatience
    private let opener: AgentOpener
    private let highestTaskIdentifier: @Sendable () throws -> Int64

    private var connection: AgentConnection? { didSet { current.withLock { $0 = connection } } }
    /// The same, for requests that need not wait for the actor.
    private nonisolated let current = Mutex<AgentConnection?>(nil)
    private var connecting: Task<AgentConnection, any Error>?
    /// Also read on the connections' threads.
    private nonisolated let receiver = Mutex<(any TransferReceiver)?>(nil)
    private var isDisconnected = false
    /// The last requested wakes; `nil` before the first request.
    private var wakes: WakeList?

    /// - Parameters:
    ///   - directory: the scheduler's directory, absolute.
    ///   - store: the work store's identity.
    ///   - agentExecutable: the agent's program, if the host names one.
    ///   - launchCommand: how the agent starts the host again; `nil` if it shall not.
    ///   - limits: sent to the agent on each connection; `nil`: it keeps its current ones.
    ///   - takesOutcomes: whether outcomes are requested once there is a receiver. A pure observer must not request
    ///     them: an outcome leased to it is not delivered to the host that waits for it, and no host is launched for
    ///     it.
    ///   - patience: how long an agent may leave a call without an answer.
    ///   - report: called when no agent can be reached, once until one is; and once for each program that was named and
    ///     cannot be used.
    ///   - highestTaskIdentifier: the highest one in the state file; the agent assigns only higher ones.
    package init(
        directory: String, store: String, agentExecutable: String?, launchCommand: LaunchCommand?,
        limits: TransferLimits? = .init(), takesOutcomes: Bool = true, clock: any WorkClock,
        patience: AgentPatience = AgentPatience(),
        report: @escaping @Sendable (AgentSetupProblem) -> Void = { _ in },
        highestTaskIdentifier: @escaping @Sendable () throws -> Int64
    ) {
        paths = AgentPaths(schedulerDirectory: directory)
        self.store = store
        self.launchCommand = launchCommand
        self.limits = limits
        self.takesOutcomes = takesOutcomes
        self.clock = clock
        self.patience = patience
        opener = AgentOpener(
            paths: paths, agentExecutable: agentExecutable, clock: clock, report: report)
        self.highestTaskIdentifier = highestTaskIdentifier
    }

    package nonisolated func reserve(_ specification: TransferSpecification) async throws -> Int64 {
        guard case .reserved(let task) = try await askAtOnce(.reserve(specification: .init(specification))) else {
            throw AgentFailure(code: .badRequest, message: "The agent sent an unexpected answer to a reservation.")
        }
        return task
    }

    package nonisolated func resume(_ reference: TransferReference) async throws {
        _ = try await askAtOnce(.resume(reference: reference))
    }

    package func cancel(_ references: [TransferReference]) async throws {
        // Without a journal there are no transfers, and no agent needs to be started to say so.
        guard FileIdentity(path: paths.journal) != nil else { return }
        for part in FrameCodec.parts(of: references) { _ = try await ask(.cancel(references: Array(part))) }
    }

    package nonisolated func acknowledge(_ reference: TransferReference) async throws {
        _ = try await askAtOnce(.acknowledge(reference: reference))
    }

    package func setPaused(_ reference: TransferReference, _ isPaused: Bool) async throws {
        guard FileIdentity(path: paths.journal) != nil else { return }
        _ = try await ask(.setPaused(reference: reference, isPaused: isPaused))
    }

    package func transfers() async throws -> [TransferSnapshot] {
        // Without a journal there are no transfers.
        guard FileIdentity(path: paths.journal) != nil else { return [] }
        return try await Self.pages { try await self.ask(.list(after: $0)) }
    }

    private static func pages(
        isolation: isolated (any Actor)? = #isolation, _ ask: (Int64) async throws -> AgentReply
    ) async throws -> [TransferSnapshot] {
        var all: [TransferSnapshot] = []
        var place: Int64? = 0
        while let after = place {
            guard case .transfers(let list, let next) = try await ask(after) else {
                throw AgentFailure(code: .badRequest, message: "The agent sent an unexpected answer to a list request.")
            }
            all += list
            place = next
        }
        return all
    }

    package func receive(with receiver: any TransferReceiver, immediately: Bool) async {
        self.receiver.withLock { $0 = receiver }
        if let connection {
            // When it breaks, `forget` opens the next one.
            try? await introduce(connection, to: receiver)
        } else if immediately || FileIdentity(path: paths.socket) != nil {
            await reconnect(waitingWhileUnreachable: false)
        }
    }

    package func disconnect() {
        isDisconnected = true
        receiver.withLock { $0 = nil }
        connection?.close()
        connection = nil
    }

    /// As ``ask(_:)``, without waiting for the actor as long as the connection holds. For what every transfer asks, and
    /// what need not keep the order of other requests.
    private nonisolated func askAtOnce(_ request: AgentRequest) async throws -> AgentReply {
        if let connection = current.withLock({ $0 }) {
            do {
                return try await connection.ask(request)
            } catch is AgentConnection.Lost {
            } catch let failure as AgentFailure where failure.code == .leaving {
            }
        }
        return try await ask(request)
    }

    /// Asks once more on a new connection when the first one broke: every request can be repeated.
    ///
    /// The request is created when it is sent, so that it contains the newest state.
    private func ask(_ request: @autoclosure () -> AgentRequest) async throws -> AgentReply {
        var attempt = 0
        while true {
            attempt += 1
            var used: AgentConnection?
            do {
                let connection = try await connected()
                used = connection
                return try await connection.ask(request())
            } catch is AgentConnection.Lost where attempt < 3 {
                // Its notification of the end may still be queued.
                if let used { forget(used) }
                continue
            } catch let failure as AgentFailure where failure.code == .leaving && attempt < 3 {
                continue
            } catch is AgentConnection.Lost {
                throw AgentUnavailableError(
                    description: "The agent broke the connection three times in a row. Its log is \(paths.log).")
            }
        }
    }

    private func connected() async throws -> AgentConnection {
        if let connection { return connection }
        if let connecting { return try await connecting.value }
        let attempt = Task { try await self.connect() }
        connecting = attempt
        defer { connecting = nil }
        return try await attempt.value
    }

    private func connect() async throws -> AgentConnection {
        let fresh = try await opener.openOrStart(unless: { isDisconnected }) { try self.open() }
        connection = fresh
        do {
            // Sent on every connection: the command of the newest host is used.
            if let limits { _ = try await fresh.ask(.setLimits(limits: limits)) }
            if let launchCommand { _ = try await fresh.ask(.setLaunchCommand(command: launchCommand)) }
            if let wakes { _ = try await fresh.ask(.setWakes(wakes: wakes)) }
            if let receiver = receiver.withLock({ $0 }) { try await introduce(fresh, to: receiver) }
            return fresh
        } catch {
            // An agent that ends during this counts as never connected: the caller tries again.
            if connection === fresh { connection = nil }
            fresh.close()
            throw error
        }
    }

    private func introduce(_ connection: AgentConnection, to receiver: any TransferReceiver) async throws {
        let list = try await Self.pages { try await connection.ask(.list(after: $0)) }
        await receiver.connected(epoch: connection.epoch, transfers: list)
        if takesOutcomes { _ = try await connection.ask(.receiveOutcomes) }
        await receiver.caughtUp()
        _ = try await connection.ask(.followProgress)
    }

    private nonisolated func open() throws -> AgentConnection {
        try AgentConnection.open(
            paths, store: store, minimumTaskIdentifier: highestTaskIdentifier(), patience: patience,
            onEvent: { event in self.pass(event) },
            onClose: { connection in Task { await self.forget(connection) } })
    }

    private nonisolated func pass(_ event: AgentEvent) {
        let receiver = receiver.withLock { $0 }
        switch event {
        case .outcome(let outcome): receiver?.receive(outcome)
        case .progress(let list): receiver?.receive(list)
        }
    }

    /// A connected client restarts an agent that has died, so that its transfers continue and it can be woken.
    private func forget(_ lost: AgentConnection) {
        guard connection === lost else { return }
        connection = nil
        if needsAgent { Task { await reconnect() } }
    }

    private var needsAgent: Bool {
        !isDisconnected && (receiver.withLock { $0 } != nil || wakes?.isEmpty == false)
    }

    /// - Parameter waitingWhileUnreachable: Whether the call waits for further attempts. Otherwise it returns once it
    ///   is known that there is no agent, and the attempts continue in the background.
    private func reconnect(waitingWhileUnreachable: Bool = true) async {
        var failures = 0
        while needsAgent, connection == nil {
            do {
                _ = try await connected()
                return
            } catch is AgentConnection.Lost {
                failures += 1
                do { try await clock.sleep(for: .milliseconds(10 << min(failures, 8))) } catch { return }
            } catch {
                if isDisconnected { return }
                if failures == 0 { await receiver.withLock { $0 }?.unreachable(error) }
                failures += 1
                if !waitingWhileUnreachable {
                    Task { await self.retryReconnecting() }
                    return
                }
                do { try await clock.sleep(for: .seconds(min(1 << min(failures, 6), 60))) } catch { return }
            }
        }
    }

    /// The receiver was notified already that there is no agent.
    private func retryReconnecting() async {
        do { try await clock.sleep(for: .seconds(2)) } catch { return }
        await reconnect()
    }
}

extension AgentTransferService: WakeService {
    package func setWakes(_ list: WakeList) async throws {
        wakes = list
        // Without a journal no wakes were ever requested, and no agent needs to be started to delete them.
        guard !list.isEmpty || FileIdentity(path: paths.journal) != nil else { return }
        _ = try await ask(.setWakes(wakes: wakes ?? list))
    }
}
