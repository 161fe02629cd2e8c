import BackgroundWorkFiles

@testable import BackgroundWorkDevice

/// Has the name of NetworkManager on a bus, and its property `Metered`.
actor StandInNetworkManager {
    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    /// What it gives as `Metered` to leave questions without an answer.
    static let silence = UInt32.max

    private let executor = DispatchQueueExecutor(label: "stand-in")
    private let bus: OpaquePointer
    private let metered = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    private var readable: EventSource?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(address: String, metered: UInt32) async {
        var bus: OpaquePointer?
        Self.check(SDBus.new(&bus))
        Self.check(SDBus.setAddress(bus, address))
        Self.check(SDBus.setBusClient(bus, 1))
        Self.check(SDBus.start(bus))
        self.bus = bus!
        self.metered.initialize(to: metered)
        Self.check(SDBus.addObject(bus, nil, Self.path, answerMetered, self.metered))
        readable = EventSource(of: SDBus.descriptor(bus), on: executor.queue) { [weak self] _ in
            self?.assumeIsolated { $0.process() }
        }
        begin()
    }

    /// Takes the name.
    func begin() {
        Self.check(SDBus.requestName(bus, Self.name, 0))
        process()
    }

    /// Gives the name up, as a service that ends does.
    func end() {
        Self.check(SDBus.releaseName(bus, Self.name))
        process()
    }

    func setSilently(_ value: UInt32) { metered.pointee = value }

    func set(_ value: UInt32) {
        metered.pointee = value
        var signal: OpaquePointer?
        Self.check(SDBus.newSignal(bus, &signal, Self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged"))
        Self.name.withCString { Self.check(SDBus.append(signal, letter("s"), $0)) }
        Self.check(SDBus.open(signal, letter("a"), "{sv}"))
        Self.check(SDBus.open(signal, letter("e"), "sv"))
        "Metered".withCString { Self.check(SDBus.append(signal, letter("s"), $0)) }
        appendNumber(value, to: signal)
        Self.check(SDBus.closeContainer(signal))
        Self.check(SDBus.closeContainer(signal))
        Self.check(SDBus.open(signal, letter("a"), "s"))
        Self.check(SDBus.closeContainer(signal))
        Self.check(SDBus.send(bus, signal, nil))
        _ = SDBus.release(signal)
        Self.check(SDBus.flush(bus))
    }

    private func process() { while SDBus.process(bus, nil) > 0 {} }

    private static func check(_ code: Int32) { precondition(code >= 0, "sd-bus: \(code)") }
}

private func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(scalar.value) }

private func appendNumber(_ value: UInt32, to message: OpaquePointer?) {
    var value = value
    _ = SDBus.open(message, letter("v"), "u")
    _ = SDBus.append(message, letter("u"), &value)
    _ = SDBus.closeContainer(message)
}

/// Answers every question for a property with the number that it is given.
private func answerMetered(
    call: OpaquePointer?, metered: UnsafeMutableRawPointer?, error: UnsafeMutableRawPointer?
) -> Int32 {
    guard let value = metered?.load(as: UInt32.self), value != StandInNetworkManager.silence else { return 1 }
    var answer: OpaquePointer?
    _ = SDBus.newReturn(call, &answer)
    appendNumber(value, to: answer)
    _ = SDBus.send(nil, answer, nil)
    _ = SDBus.release(answer)
    return 1
}
