public import Dispatch

/// What `DispatchSourceProtocol` declares, for a source that is not of Dispatch's own class: the extension with which
/// Dispatch gives its methods default arguments is for its class only.
public protocol ShimDispatchSource: DispatchSourceProtocol, Sendable {}

/// Every ``ShimDispatchSource`` is one.
protocol ForwardingSource: ShimDispatchSource {
    var base: DescriptorSource { get }
    /// What the properties of `DispatchSourceProtocol` return, which the other protocols have with types of their own.
    var numbers: (handle: UInt, data: UInt, mask: UInt) { get }
}

extension ShimDispatchSource {
    /// By another name than the protocol's property, which it would replace.
    private var worker: DescriptorSource? { (self as? any ForwardingSource)?.base }
    private var values: (handle: UInt, data: UInt, mask: UInt) { (self as? any ForwardingSource)?.numbers ?? (0, 0, 0) }

    /// doc: dispatch/dispatchsourceprotocol/seteventhandler(qos:flags:handler:)
    public func setEventHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
    ) { worker?.setEvent(handler) }

    /// doc: dispatch/dispatchsourceprotocol/seteventhandler(handler:)
    public func setEventHandler(handler: DispatchWorkItem) { worker?.setEvent { handler.perform() } }

    /// doc: dispatch/dispatchsourceprotocol/setcancelhandler(qos:flags:handler:)
    public func setCancelHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
    ) { worker?.setCancel(handler) }

    /// doc: dispatch/dispatchsourceprotocol/setcancelhandler(handler:)
    public func setCancelHandler(handler: DispatchWorkItem) { worker?.setCancel { handler.perform() } }

    /// doc: dispatch/dispatchsourceprotocol/setregistrationhandler(qos:flags:handler:)
    public func setRegistrationHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
    ) { worker?.setRegistration(handler) }

    /// doc: dispatch/dispatchsourceprotocol/setregistrationhandler(handler:)
    public func setRegistrationHandler(handler: DispatchWorkItem) { worker?.setRegistration { handler.perform() } }

    /// doc: dispatch/dispatchsourceprotocol/activate()
    public func activate() { worker?.activate() }
    /// doc: dispatch/dispatchsourceprotocol/cancel()
    public func cancel() { worker?.cancel() }
    /// doc: dispatch/dispatchsourceprotocol/resume()
    public func resume() { worker?.resume() }
    /// doc: dispatch/dispatchsourceprotocol/suspend()
    public func suspend() { worker?.suspend() }
    /// doc: dispatch/dispatchsourceprotocol/iscancelled
    public var isCancelled: Bool { worker?.isCancelled ?? true }
    /// doc: dispatch/dispatchsourceprotocol/handle
    public var handle: UInt { values.handle }
    /// doc: dispatch/dispatchsourceprotocol/data
    public var data: UInt { values.data }
    /// doc: dispatch/dispatchsourceprotocol/mask
    public var mask: UInt { values.mask }
}
