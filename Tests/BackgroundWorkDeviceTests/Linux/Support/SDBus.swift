import BackgroundWorkSystem

/// The functions of libsystemd's sd-bus that a service needs, by name.
enum SDBus {
    typealias Pointer = OpaquePointer?
    typealias Text = UnsafePointer<CChar>
    typealias Handler = @convention(c) (Pointer, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

    static let isThere = dlopen("libsystemd.so.0", RTLD_NOW) != nil

    static let new = find("sd_bus_new", as: (@convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32).self)
    static let setAddress = find("sd_bus_set_address", as: (@convention(c) (Pointer, Text) -> Int32).self)
    static let setBusClient = find("sd_bus_set_bus_client", as: (@convention(c) (Pointer, Int32) -> Int32).self)
    static let start = find("sd_bus_start", as: (@convention(c) (Pointer) -> Int32).self)
    static let close = find("sd_bus_flush_close_unref", as: (@convention(c) (Pointer) -> Pointer).self)
    static let descriptor = find("sd_bus_get_fd", as: (@convention(c) (Pointer) -> Int32).self)
    static let process = find("sd_bus_process", as: (@convention(c) (Pointer, Pointer) -> Int32).self)
    static let flush = find("sd_bus_flush", as: (@convention(c) (Pointer) -> Int32).self)
    static let requestName = find("sd_bus_request_name", as: (@convention(c) (Pointer, Text, UInt64) -> Int32).self)
    static let releaseName = find("sd_bus_release_name", as: (@convention(c) (Pointer, Text) -> Int32).self)
    static let addObject = find(
        "sd_bus_add_object",
        as: (@convention(c) (Pointer, Pointer, Text, Handler, UnsafeMutableRawPointer) -> Int32).self)
    static let newReturn = find(
        "sd_bus_message_new_method_return",
        as: (@convention(c) (Pointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32).self)
    static let newSignal = find(
        "sd_bus_message_new_signal",
        as: (@convention(c) (Pointer, UnsafeMutablePointer<OpaquePointer?>, Text, Text, Text) -> Int32).self)
    static let open = find(
        "sd_bus_message_open_container", as: (@convention(c) (Pointer, CChar, Text) -> Int32).self)
    static let closeContainer = find("sd_bus_message_close_container", as: (@convention(c) (Pointer) -> Int32).self)
    static let append = find(
        "sd_bus_message_append_basic", as: (@convention(c) (Pointer, CChar, UnsafeRawPointer) -> Int32).self)
    static let send = find("sd_bus_send", as: (@convention(c) (Pointer, Pointer, Pointer) -> Int32).self)
    static let release = find("sd_bus_message_unref", as: (@convention(c) (Pointer) -> Pointer).self)

    private static func find<Function>(_ name: String, as type: Function.Type) -> Function {
        precondition(isThere, "libsystemd is not there")
        return unsafeBitCast(dlsym(nil, name) ?? dlsym(dlopen("libsystemd.so.0", RTLD_NOW), name)!, to: type)
    }
}
