import Foundation

/// Huey (https://huey.readthedocs.io), a task queue for Python that can keep its tasks in SQLite with an fsync for each
/// transaction.
struct HueyPeer {
    /// Where ``instruction`` puts it.
    private static let environment = FileManager.default.temporaryDirectory.appending(path: "bgwork-bench-huey").path

    /// What to do when it is missing.
    let instruction = """
        Huey is left out: no Python with it was found. To have it: python3 -m venv \(environment) && \
        \(environment)/bin/pip install huey
        """

    private let python: String?
    private let folder: URL
    private let jobs = 2000

    var isThere: Bool { python != nil }

    /// - Parameter python: the interpreter that has it; `nil`: that of the virtual environment, or the one in PATH.
    init(python: String?, folder: URL) {
        self.folder = folder
        let candidates = python.map { [$0] } ?? [Self.environment + "/bin/python3", "python3"]
        self.python = candidates.first(where: Self.hasHuey)
    }

    /// How many no-ops a second it finishes, from the first enqueueing to the last end.
    func rate() async throws -> Double {
        guard let python else { throw CommandLineTool.Failed(description: "there is no Python with it") }
        let place = folder.appending(path: "huey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let script = place.appending(path: "huey_benchmark.py")
        try Data(Self.script.utf8).write(to: script)
        let output = try await CommandLineTool.output(
            of: "/usr/bin/env", ["timeout", "120", python, script.path, place.path + "/huey.db", "\(jobs)"])
        guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandLineTool.Failed(description: "its output \"\(output)\" is not a number")
        }
        return rate
    }

    private static func hasHuey(_ python: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, "-c", "import huey"]
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// The consumer is a process of its own, as it is meant to be, with two worker threads; that is also faster than one
    /// process for both. Nothing is kept of the results, and it looks for new tasks each 1 to 10 ms.
    private static let script = """
        import logging, os, sys, threading, time
        from huey import SqliteHuey

        path, count = sys.argv[1], int(sys.argv[2])
        huey = SqliteHuey(filename=path, fsync=True, results=False)
        lock, left, done = threading.Lock(), [count], threading.Event()

        @huey.task()
        def no_op(n):
            with lock:
                left[0] -= 1
                if left[0] == 0:
                    done.set()

        logging.disable(logging.CRITICAL)
        reading, writing = os.pipe()
        if os.fork() == 0:
            consumer = huey.create_consumer(
                workers=2, worker_type="thread", periodic=False, check_worker_health=False,
                initial_delay=0.001, max_delay=0.01)
            consumer.start()
            os.write(writing, b"r")
            done.wait()
            os.write(writing, b"d")
            os._exit(0)
        os.read(reading, 1)
        start = time.monotonic()
        for n in range(count):
            no_op(n)
        os.read(reading, 1)
        print(count / (time.monotonic() - start))

        """
}
