import BackgroundWork
import BackgroundWorkConsole
import Foundation

/// `bgwork transfers add`: a transfer as durable work, which continues after this program has ended.
struct AddCommand {
    /// Who hands the transfer off.
    private enum Runner {
        case thisProgram
        /// A running program has the directory open.
        case livingHost
        /// A program that is not running has work here that this program cannot run, so this program must not take its
        /// place.
        case absentHost(workers: [String])
    }

    private let folder: TransfersFolder
    private let options: AddOptions

    init(_ arguments: inout Arguments) throws {
        // The options first: an invalid command creates no folder.
        var rest = arguments
        let directory = try rest.value("--directory")
        options = try AddOptions(&rest)
        var place = Arguments(directory.map { ["--directory", $0] } ?? [])
        folder = try TransfersFolder(&place, isCreated: true)
        arguments = rest
    }

    func run() async throws -> Int32 {
        let looker = try TransfersScheduler.make(folder, securityPolicy: options.securityPolicy)
        let runner = try await runner(looker)
        guard case .thisProgram = runner else {
            guard let id = try await enqueue(on: looker) else { return 1 }
            return try await leave(id, to: runner, looker)
        }
        let scheduler = try TransfersScheduler.make(folder, launches: true, securityPolicy: options.securityPolicy)
        guard let id = try await enqueue(on: scheduler) else { return 1 }
        try await scheduler.start()
        let end = TransferEnd(id: id, scheduler: scheduler, folder: folder)
        let status = options.waits ? try await end.wait() : try await end.waitForHandOff()
        await scheduler.shutdown()
        return status
    }

    private func runner(_ scheduler: WorkScheduler) async throws -> Runner {
        if try await scheduler.hasLivePeers() { return .livingHost }
        let others = try await scheduler.unfinishedWorkers().subtracting(TransfersScheduler.workers)
        return others.isEmpty ? .thisProgram : .absentHost(workers: others.sorted())
    }

    /// The id; `nil` after an error message.
    private func enqueue(on scheduler: WorkScheduler) async throws -> String? {
        let sessions = scheduler.backgroundSessions
        let result =
            switch options.job {
            case .download(let download):
                try await sessions.enqueueDownload(configuration: download, id: options.id, policy: .keep)
            case .upload(let upload):
                try await sessions.enqueueUpload(configuration: upload, id: options.id, policy: .keep)
            }
        switch result {
        case .accepted(let id): return id
        case .keptExisting(let id):
            Output.complain("unfinished work with the id \"\(id)\" already exists; nothing was added")
        case .rejectedBySystem(let reason): Output.complain("nothing was added: \(reason)")
        case .deadlineAlreadyPassed, .throttled: Output.complain("nothing was added")
        }
        return nil
    }

    private func leave(_ id: String, to runner: Runner, _ scheduler: WorkScheduler) async throws -> Int32 {
        switch runner {
        case .absentHost(let workers):
            Output.line(
                "\(id): added; the program that has the workers \(workers.joined(separator: ", ")) hands it off when it "
                    + "runs next")
            if options.waits {
                Output.complain("--wait has no effect: the program that runs this work is not running")
                return 1
            }
            return 0
        case .livingHost, .thisProgram:
            if options.waits { return try await TransferEnd(id: id, scheduler: scheduler, folder: folder).wait() }
            Output.line("\(id): added; the program that has this directory open hands it off")
            return 0
        }
    }
}
