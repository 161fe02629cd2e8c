#if os(Linux)
import CBackgroundWorkCurl

/// The functions that libcurl calls, formed outside of any isolation; the context is the ``Download``, which outlives
/// its handle's stay in the multi handle.
enum DownloadCallbacks {
    static let body: bgw_curl_data_function = { data, size, count, context in
        guard let data, let context else { return 0 }
        let download = Unmanaged<Download>.fromOpaque(context).takeUnretainedValue()
        return download.takeBody(UnsafeRawBufferPointer(start: data, count: size * count))
    }

    static let header: bgw_curl_data_function = { data, size, count, context in
        guard let data, let context else { return 0 }
        let download = Unmanaged<Download>.fromOpaque(context).takeUnretainedValue()
        download.takeHeader(UnsafeRawBufferPointer(start: data, count: size * count))
        return size * count
    }

    static let socket: bgw_curl_socket_function = { context, _, address in
        guard let context, let address else { return curl_socket_t(-1) }
        return Unmanaged<Download>.fromOpaque(context).takeUnretainedValue().openSocket(address)
    }
}
#endif
