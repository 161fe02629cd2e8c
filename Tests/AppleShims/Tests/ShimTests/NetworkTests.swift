import Dispatch
import Network
import Synchronization
import Testing

struct NetworkTests {
    @Test("a monitor reports the path at its start, then each that is set, on its queue, until it is canceled")
    func monitor() async {
        let queue = DispatchQueue(label: "path")
        let (paths, continuation) = AsyncStream.makeStream(of: NWPath.self)
        NetworkShim.setPath(.unsatisfied)
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            dispatchPrecondition(condition: .onQueue(queue))
            continuation.yield(path)
        }
        monitor.start(queue: queue)
        var iterator = paths.makeAsyncIterator()
        #expect(await iterator.next()?.status == .unsatisfied)
        NetworkShim.setPath(.satisfied, isExpensive: true, interfaces: [.cellular])
        let path = await iterator.next()
        #expect(path?.status == .satisfied && path?.isExpensive == true && path?.isConstrained == false)
        #expect(path?.usesInterfaceType(.cellular) == true && path?.usesInterfaceType(.wifi) == false)
        #expect(NetworkShim.isRunning(monitor))
        monitor.cancel()
        #expect(!NetworkShim.isRunning(monitor))
    }
}
