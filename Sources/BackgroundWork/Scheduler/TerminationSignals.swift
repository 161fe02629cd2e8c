import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// SIGTERM and SIGINT as something to wait for.
enum TerminationSignals {
    static func wait() async {
        let arrived = WakeSignal()
        let sources = [SIGTERM, SIGINT].map { number -> any DispatchSourceSignal in
            // The default action would end the process before the source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { arrived.raise() }
            source.resume()
            return source
        }
        await arrived.wait()
        for source in sources { source.cancel() }
    }
}
