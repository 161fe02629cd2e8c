import BackgroundWorkBuiltIns
import BackgroundWorkDevice
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkTransfers

/// The workers that a scheduler can run, by name. Contains the built-in ones from the start.
///
/// ```swift
/// var workers = WorkerRegistry()
/// try workers.register(TranscodeWorker.self) { TranscodeWorker() }
/// try workers.register("Legacy") { inputJSON, context in .success() }
/// ```
public struct WorkerRegistry: Sendable {
    private var workers: [String: RegisteredWorker] = [:]

    /// A registry with the built-in workers; Docs/workers.md lists them.
    public init() {
        self = .ofTransfers
        for type in BuiltInWorkers.all { addBuiltIn(type) }
    }

    /// Only the built-in workers that hand transfers to the platform's daemon.
    package static let ofTransfers = WorkerRegistry(ofTransfers: ())

    private init(ofTransfers: Void) {
        let upload = BackgroundUploadWorker.name
        workers[upload] = RegisteredWorker(
            name: upload, handsOffTransfers: true, removesSecrets: true,
            validate: Self.validator(of: BackgroundUploadWorker.self, named: upload)
        ) { inputJSON, context, services in
            let input = try Self.decode(UploadConfiguration.self, from: inputJSON, for: upload)
            let worker = BackgroundUploadWorker(transfers: try services.transfers())
            try services.callWorker?()
            return try await worker.doWork(input, context: context)
        }
        for name in BackgroundDownloadWorker.names {
            workers[name] = RegisteredWorker(
                name: name, handsOffTransfers: true, removesSecrets: true,
                validate: Self.validator(of: BackgroundDownloadWorker.self, named: name)
            ) { inputJSON, context, services in
                let input = try Self.decode(DownloadConfiguration.self, from: inputJSON, for: name)
                let worker = BackgroundDownloadWorker(requestedName: name, transfers: try services.transfers())
                try services.callWorker?()
                return try await worker.doWork(input, context: context)
            }
        }
    }

    private mutating func addBuiltIn<W: BuiltInWorker>(_ type: W.Type) {
        for name in [W.name] + W.aliases {
            workers[name] = RegisteredWorker(
                name: name, removesSecrets: true, validate: Self.validator(of: type, named: name)
            ) { inputJSON, context, services in
                let input = try Self.decode(W.Input.self, from: inputJSON, for: name)
                if services.validatesInput { try Self.validate(input, for: type, named: name, services) }
                let worker = W(services.builtIn)
                try services.callWorker?()
                return try await worker.doWork(input, context: context)
            }
        }
    }

    /// Registers a typed worker under its name and its aliases. `make` is called for every run. What is enqueued for it
    /// is checked by ``Worker/validate(input:under:)``.
    ///
    /// Throws ``WorkerRegistrationError`` when one of the names is taken or empty; nothing is registered then.
    public mutating func register<W: Worker>(_ type: W.Type, make: @escaping @Sendable () -> W) throws {
        try add(names: [W.name] + W.aliases) { name in
            RegisteredWorker(name: name, validate: Self.validator(of: type, named: name)) {
                inputJSON, context, services in
                let input = try Self.decode(W.Input.self, from: inputJSON, for: name)
                if services.validatesInput { try Self.validate(input, for: type, named: name, services) }
                let worker = make()
                try services.callWorker?()
                let result = try await worker.doWork(input, context: context)
                try Self.check(result, W.Output.self, of: context.workID)
                return result
            }
        }
    }

    /// Registers a closure that takes the input as it is stored. The input is not checked when it is enqueued.
    ///
    /// Throws ``WorkerRegistrationError`` when the name is taken or empty.
    public mutating func register(
        _ name: String, run: @escaping @Sendable (String?, WorkerContext) async throws -> WorkerResult
    ) throws {
        try add(names: [name]) { name in
            RegisteredWorker(name: name) { inputJSON, context, services in
                try services.callWorker?()
                return try await run(inputJSON, context)
            }
        }
    }

    /// The names under which workers are registered, aliases included, in order.
    public var names: [String] { workers.keys.sorted() }

    func worker(named name: String) -> RegisteredWorker? { workers[name] }

    private mutating func add(names: [String], make: (String) -> RegisteredWorker) throws {
        for name in names {
            if name.isEmpty { throw WorkerRegistrationError.emptyName }
            if workers[name] != nil { throw WorkerRegistrationError.nameTaken(name) }
        }
        for name in names { workers[name] = make(name) }
    }

    private static func validator<W: Worker>(
        of type: W.Type, named name: String
    ) -> @Sendable (String?, SecurityPolicy) throws -> Void {
        if let none = NoInput() as? W.Input { return { _, policy in try type.validate(input: none, under: policy) } }
        return { inputJSON, policy in
            try type.validate(input: decode(W.Input.self, from: inputJSON, for: name), under: policy)
        }
    }

    /// Whatever the worker throws: retrying cannot help.
    private static func validate<W: Worker>(
        _ input: W.Input, for type: W.Type, named name: String, _ services: WorkerServices
    ) throws(WorkerInputError) {
        do { try type.validate(input: input, under: services.securityPolicy) } catch {
            throw WorkerInputError(workerClassName: name, reason: InputValidation.words(of: error))
        }
    }

    static func decode<Input: Decodable>(
        _ type: Input.Type, from json: String?, for worker: String
    ) throws -> Input {
        if let none = NoInput() as? Input { return none }
        return try decode(json, for: worker) { try JSONCoding.value(type, from: $0) }
    }

    static func decode<Input: FastJSONDecodable>(
        _ type: Input.Type, from json: String?, for worker: String
    ) throws -> Input {
        try decode(json, for: worker) { try FastJSON.value(type, from: $0) }
    }

    private static func decode<Input>(
        _ json: String?, for worker: String, read: (String) throws -> Input
    ) throws -> Input {
        guard let json else {
            throw WorkerInputError(
                workerClassName: worker, reason: "the request has no inputJSON, but this worker needs one")
        }
        do {
            return try read(json)
        } catch let error as DecodingError {
            throw WorkerInputError(workerClassName: worker, reason: error.inWords(of: json))
        }
    }

    /// Checks that a worker's output is of its declared type, so that its readers can rely on that.
    private static func check<Output: Decodable>(
        _ result: WorkerResult, _ type: Output.Type, of workID: String
    ) throws(WorkerOutputError) {
        guard type != NoOutput.self, case .success(_, let json?) = result else { return }
        _ = try StepOutputs.decode(type, from: json, of: workID)
    }
}

/// A registered worker, whatever its input's type.
struct RegisteredWorker: Sendable {
    var name: String
    /// Whether a run may leave a transfer with the daemon, which must be cancelled with the run.
    var handsOffTransfers = false
    /// Whether the input may have secrets that are recognized, and removed when the work ends.
    var removesSecrets = false
    /// Throws why an input is refused under a policy. Decodes it first. `nil` for closures, which take any input.
    var validate: (@Sendable (String?, SecurityPolicy) throws -> Void)?
    var run: @Sendable (String?, WorkerContext, WorkerServices) async throws -> WorkerResult
}

/// What a registered worker needs of its scheduler.
struct WorkerServices: Sendable {
    /// Called right before the worker's own code, unless that may run twice; when it throws, that is not called.
    var callWorker: (@Sendable () throws -> Void)?
    /// Whether the input was not complete when it was enqueued, and so is checked by its worker now.
    var validatesInput = false
    /// Returns the hand-off under a policy. Throws where this platform has no daemon for it.
    var handOff: @Sendable (SecurityPolicy) throws -> TransferHandOff
    /// The policy under which the request was accepted.
    var securityPolicy = SecurityPolicy.publicInternet

    /// The scheduler's.
    var clock: any WorkClock = SystemWorkClock()
    /// The transports of the built-in workers.
    var transports = SharedTransports()
    /// Those of the built-in workers.
    var partialFiles: PartialFiles?
    /// Whether the work fails if this attempt asks for another one.
    var isLastAttempt = false

    /// What a built-in worker gets.
    var builtIn: BuiltInServices {
        BuiltInServices(
            securityPolicy: securityPolicy, transports: transports, clock: clock, partialFiles: partialFiles,
            isLastAttempt: isLastAttempt)
    }

    /// Returns the hand-off for the request's transfer. Throws as `handOff` does.
    func transfers() throws -> TransferHandOff { try handOff(securityPolicy) }
}

/// A worker could not be registered. Nothing was registered.
public enum WorkerRegistrationError: Error, Hashable, CustomStringConvertible {
    /// Another worker has this name or alias.
    case nameTaken(String)
    /// The name or an alias is empty.
    case emptyName

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .nameTaken(let name):
            "A worker named \"\(name)\" is registered already. Each name and alias may be used once."
        case .emptyName: "A worker's name or alias is empty."
        }
    }
}

extension WorkerRegistrationError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
