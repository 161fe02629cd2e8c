import CAppleDispatch
public import Dispatch
import Glibc

/// doc: dispatch/dispatchsourceprocess
public protocol DispatchSourceProcess: ShimDispatchSource {
    /// doc: dispatch/dispatchsourceprocess/handle (`pid_t`)
    var handle: Int32 { get }
    /// doc: dispatch/dispatchsourceprocess/data
    var data: DispatchSource.ProcessEvent { get }
    /// doc: dispatch/dispatchsourceprocess/mask
    var mask: DispatchSource.ProcessEvent { get }
}

extension DispatchSource {
    /// doc: dispatch/dispatchsource/processevent; Linux reports `exit` only
    public struct ProcessEvent: OptionSet, RawRepresentable, Sendable {
        /// doc: dispatch/dispatchsource/processevent/rawvalue
        public let rawValue: UInt
        /// doc: dispatch/dispatchsource/processevent/init(rawvalue:)
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// doc: dispatch/dispatchsource/processevent/exit
        public static let exit = ProcessEvent(rawValue: 0x8000_0000)
    }

    /// doc: dispatch/dispatchsource/makeprocesssource(identifier:eventmask:queue:)
    public class func makeProcessSource(
        identifier: Int32, eventMask: ProcessEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceProcess {
        ProcessDescriptorSource(identifier: identifier, mask: eventMask, queue: queue)
    }
}

/// kqueue(2)'s EVFILT_PROC by pidfd_open(2). As with Dispatch on Apple's platforms, a process that is already gone is
/// reported at once.
final class ProcessDescriptorSource: DispatchSourceProcess, ForwardingSource {
    let base: DescriptorSource
    let handle: Int32
    let mask: DispatchSource.ProcessEvent
    let data: DispatchSource.ProcessEvent = .exit
    var numbers: (handle: UInt, data: UInt, mask: UInt) { (UInt(handle), data.rawValue, mask.rawValue) }

    init(identifier: Int32, mask: DispatchSource.ProcessEvent, queue: DispatchQueue?) {
        handle = identifier
        self.mask = mask
        let process = shim_process_descriptor(identifier)
        base = DescriptorSource(
            descriptor: process >= 0 ? process : shim_readable_descriptor(), queue: queue, once: true
        ) { mask.contains(.exit) }
    }
}
