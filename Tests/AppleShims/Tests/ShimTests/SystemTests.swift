import BackgroundWorkSystem
import FoundationEssentials
import Testing

@Suite("Darwin's C declarations")
struct SystemTests {
    @Test("stat fills Darwin's structure")
    func status() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a", "12345")
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFREG)
        #expect(status.st_size == 5)
        #expect(status.st_nlink == 1)
        #expect(status.st_mtimespec.tv_sec > 1_700_000_000)
        #expect(stat(folder.path + "/b", &status) == -1 && errno == ENOENT)
    }

    @Test("renameatx_np with RENAME_EXCL replaces no file")
    func exclusiveRename() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.file("a", "first"), folder.file("b", "second"))
        #expect(renameatx_np(AT_FDCWD, first, AT_FDCWD, second, UInt32(RENAME_EXCL)) == -1 && errno == EEXIST)
        #expect(renameatx_np(AT_FDCWD, first, AT_FDCWD, folder.path + "/c", UInt32(RENAME_EXCL)) == 0)
        #expect(access(folder.path + "/c", F_OK) == 0)
        #expect(access(first, F_OK) == -1)
    }

    @Test("sysctlbyname tells the boot in upper case, and how much room it needs")
    func bootIdentifier() {
        var size = 0
        #expect(sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0)
        #expect(size == 37)
        var bytes = [CChar](repeating: 0, count: size)
        #expect(sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0)
        let text = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #expect(UUID(uuidString: text)?.uuidString == text)
        size = 4
        #expect(sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == -1 && errno == ENOMEM)
        #expect(sysctlbyname("kern.other", nil, &size, nil, 0) == -1 && errno == ENOENT)
    }

    @Test("addresses have Darwin's length and family in both directions")
    func addresses() throws {
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        defer { close(listener) }
        var address = loopback(port: 0)
        try #require(withAddress(&address) { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, 1) == 0)
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try #require(withAddress(&own) { pointer, _ in getsockname(listener, pointer, &length) } == 0)
        #expect(own.sin_len == 16)
        #expect(own.sin_family == sa_family_t(AF_INET))
        #expect(own.sin_port != 0)

        let client = socket(AF_INET, SOCK_STREAM, 0)
        defer { close(client) }
        try #require(withAddress(&own) { connect(client, $0, $1) } == 0)
        var peer = sockaddr_in()
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let accepted = withAddress(&peer) { pointer, _ in accept(listener, pointer, &length) }
        try #require(accepted >= 0)
        defer { close(accepted) }
        #expect(peer.sin_family == sa_family_t(AF_INET))
        #expect(peer.sin_addr.s_addr == own.sin_addr.s_addr)
    }

    @Test("an accepted socket inherits SO_NOSIGPIPE, and a send to a closed peer is an error")
    func noSignal() throws {
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        defer { close(listener) }
        var on: Int32 = 1
        try #require(setsockopt(listener, SOL_SOCKET, SO_NOSIGPIPE, &on, 4) == 0)
        var address = loopback(port: 0)
        try #require(withAddress(&address) { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, 1) == 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try #require(withAddress(&address) { pointer, _ in getsockname(listener, pointer, &length) } == 0)
        let client = socket(AF_INET, SOCK_STREAM, 0)
        try #require(withAddress(&address) { connect(client, $0, $1) } == 0)
        let accepted = accept(listener, nil, nil)
        defer { close(accepted) }
        var reset = linger(l_onoff: 1, l_linger: 0)
        try #require(
            setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size)) == 0)
        close(client)
        var byte: UInt8 = 0
        // Waits for the reset, after which a send would raise the signal and end the test's process.
        #expect(recv(accepted, &byte, 1, 0) == -1 && errno == ECONNRESET)
        #expect(send(accepted, &byte, 1, 0) == -1)
        var unsent: Int32 = -1
        length = 4
        #expect(getsockopt(accepted, SOL_SOCKET, SO_NWRITE, &unsent, &length) == 0 && unsent == 0)
    }

    @Test("the raw clock goes forward, and no other one is known")
    func clock() {
        var first = timespec()
        var second = timespec()
        #expect(clock_gettime(CLOCK_MONOTONIC_RAW, &first) == 0)
        #expect(clock_gettime(CLOCK_MONOTONIC_RAW, &second) == 0)
        #expect((second.tv_sec, second.tv_nsec) >= (first.tv_sec, first.tv_nsec))
        #expect(clock_gettime(clockid_t(rawValue: 0), &first) == -1 && errno == EINVAL)
    }

    @Test("a thread starts with Darwin's types")
    func thread() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var thread: pthread_t?
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
            var byte: UInt8 = 7
            _ = write(argument.load(as: Int32.self), &byte, 1)
            return nil
        }
        let argument = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        defer { argument.deallocate() }
        argument.pointee = ends[1]
        try #require(pthread_create(&thread, &attributes, start, argument) == 0)
        if let thread { pthread_detach(thread) }
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1 && byte == 7)
    }

    private func loopback(port: in_port_t) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        return address
    }

    private func withAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
