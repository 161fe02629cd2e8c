import BackgroundWorkSystem
import CBackgroundWorkCurl

/// What libcurl calls, on the network loop's thread, from inside `CurlMulti.perform` or `CurlRequest.goOn`. The context
/// is the `Exchange`, which ensures that its request does not outlive it.
package enum CurlCallbacks {
    package static let body: bgw_curl_data_function = { data, size, count, context in
        guard let data, let exchange = Exchange.from(context) else { return 0 }
        switch exchange.receive(body: UnsafeRawBufferPointer(start: data, count: size * count)) {
        case .taken: return size * count
        // CURL_WRITEFUNC_PAUSE, which Swift does not import.
        case .wait: return 0x1000_0001
        case .breakOff: return size * count == 0 ? -1 : 0
        }
    }

    package static let header: bgw_curl_data_function = { data, size, count, context in
        guard let data, let exchange = Exchange.from(context) else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
        exchange.receive(headerLine: String(decoding: bytes, as: UTF8.self))
        return size * count
    }

    package static let supply: bgw_curl_data_function = { data, size, count, context in
        let space = UnsafeMutableRawBufferPointer(start: data, count: size * count)
        return switch Exchange.from(context)?.supply(space) ?? .breakOff {
        case .bytes(let count): count
        // CURL_READFUNC_PAUSE and CURL_READFUNC_ABORT, which Swift does not import.
        case .wait: 0x1000_0001
        case .breakOff: 0x1000_0000
        }
    }

    package static let seek: bgw_curl_seek_function = { context, offset, origin in
        guard origin == SEEK_SET, let exchange = Exchange.from(context), exchange.rewind(to: Int64(offset)) else {
            return CURL_SEEKFUNC_FAIL
        }
        return CURL_SEEKFUNC_OK
    }

    package static let connected: bgw_curl_connected_function = { context, address, _, _, _ in
        guard let exchange = Exchange.from(context) else { return 1 }
        return exchange.mayUse(address.flatMap { DialledAddress(text: String(cString: $0)) }) ? 0 : 1
    }

    package static let socket: bgw_curl_socket_function = { context, _, address in
        // CURL_SOCKET_BAD, which Swift does not import.
        let refused: curl_socket_t = -1
        guard let address, let exchange = Exchange.from(context), exchange.mayDial(DialledAddress(address)) else {
            return refused
        }
        return BackgroundWorkSystem.socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}
