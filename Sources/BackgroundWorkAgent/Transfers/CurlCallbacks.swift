#if os(Linux)
import CBackgroundWorkCurl
import Glibc

/// What libcurl calls, on the network loop's thread, from inside `CurlMulti.perform` or `CurlRequest.goOn`. The context
/// is the transfer's `TransferReceiver`, which its transfer keeps alive for as long as the request.
enum CurlCallbacks {
    static let body: bgw_curl_data_function = { data, size, count, context in
        guard let data, let receiver = TransferReceiver.from(context) else { return 0 }
        return receiver.receive(body: UnsafeRawBufferPointer(start: data, count: size * count))
    }

    static let header: bgw_curl_data_function = { data, size, count, context in
        guard let data, let receiver = TransferReceiver.from(context) else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
        receiver.receive(headerLine: String(decoding: bytes, as: UTF8.self))
        return size * count
    }

    static let socket: bgw_curl_socket_function = { context, _, address in
        // CURL_SOCKET_BAD, which Swift does not import.
        let refused: curl_socket_t = -1
        guard let address, let receiver = TransferReceiver.from(context), receiver.mayDial(DialledAddress(address))
        else {
            return refused
        }
        return Glibc.socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
}
#endif
