import BackgroundWorkFiles
import BackgroundWorkSystem
import Dispatch

/// Finds the addresses of hosts as a session will.
package struct HostResolver: Sendable {
    /// All that a name resolves to now; none if it does not. Never throws, and ends within ten seconds.
    package let addresses: @Sendable (String) async -> [IPAddress]

    package init(_ addresses: @escaping @Sendable (String) async -> [IPAddress]) { self.addresses = addresses }

    /// How long a resolution is waited for. What takes longer is left to the session.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Resolutions block for as long as the name servers take, and do not wait for each other.
    private static let queue = DispatchQueue(label: "BackgroundWork.HostResolver", attributes: .concurrent)

    /// The system's resolver.
    package static let system = HostResolver { host in
        let answer = FirstAnswer<[IPAddress]>()
        queue.async { answer.give(resolve(host)) }
        queue.asyncAfter(deadline: .now() + patience) { answer.give([]) }
        return await answer.wait()
    }

    private static func resolve(_ host: String) -> [IPAddress] {
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        var found: [IPAddress] = []
        for info in sequence(first: first, next: { $0.pointee.ai_next }) {
            var text = [CChar](repeating: 0, count: 256)
            guard let socketAddress = info.pointee.ai_addr,
                getnameinfo(
                    socketAddress, info.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0,
                let address = IPAddress(
                    text: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            else { continue }
            if !found.contains(address) { found.append(address) }
        }
        return found
    }
}
