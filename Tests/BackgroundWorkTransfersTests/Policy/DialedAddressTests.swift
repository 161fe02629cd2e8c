import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

/// What policies say of the address that a URL's host resolves to.
struct DialedAddressTests {
    private func isAllowed(
        _ address: String, _ url: String = "http://files.example:8080/", _ change: (inout SecurityPolicy) -> Void
    ) -> Bool {
        var policy = SecurityPolicy.publicInternet
        change(&policy)
        #expect(policy.complaint == nil)
        return policy.refusal(dialing: IPAddress(text: address), for: URLDestination(url: url)) == nil
    }

    @Test(
        "each kind of address has its allowance",
        arguments: [
            ("8.8.8.8", .global), ("2606:4700::1111", .global), ("127.0.0.1", .loopback), ("::1", .loopback),
            ("::ffff:127.0.0.1", .loopback), ("0.0.0.0", .loopback), ("::", .loopback), ("10.0.0.7", .privateNetwork),
            ("100.64.0.1", .privateNetwork), ("100.128.0.1", .global), ("172.15.0.1", .global),
            ("172.16.0.1", .privateNetwork), ("192.169.1.1", .global), ("169.254.1.1", .privateNetwork),
            ("fd00::7", .privateNetwork), ("fe80::1", .privateNetwork), ("169.254.169.254", .metadata),
            ("fd00:ec2::254", .metadata), ("100.100.100.200", .metadata), ("100.100.100.201", .privateNetwork),
            ("168.63.129.16", .metadata), ("168.63.129.17", .global), ("64:ff9b::a9fe:a9fe", .metadata),
            ("64:ff9b::8.8.8.8", .global), ("64:ff9b::127.0.0.1", .reserved), ("2002:7f00:1::", .reserved),
            ("2002:808:808::", .global), ("2001::1", .reserved), ("ff02::1", .reserved), ("255.255.255.255", .reserved),
            ("192.0.2.1", .reserved), ("2001:db8::1", .reserved), ("198.20.0.1", .global), ("128.0.0.1", .global),
            ("2a00:1450::1", .global),
        ] as [(String, AddressKind)])
    func kinds(address: String, kind: AddressKind) throws {
        #expect(try #require(IPAddress(text: address)).kind == kind)
        #expect(isAllowed(address) { _ in } == (kind == .global))
        #expect(isAllowed(address) { $0.allowsLoopback = true } == (kind == .global || kind == .loopback))
        #expect(isAllowed(address) { $0.allowsPrivateNetworks = true } == (kind == .global || kind == .privateNetwork))
        #expect(isAllowed(address) { $0.allowsAnyAddress = true })
        #expect(isAllowed(address) { $0.allowedHosts = ["files.example"] })
        #expect(isAllowed(address) { $0.allowedHosts = ["FILES.example.:8080"] })
        #expect(isAllowed(address) { $0.allowedHosts = ["files.example:8081"] } == (kind == .global))
        #expect(isAllowed(address) { $0.allowedHosts = ["*.files.example"] } == (kind == .global))
        // A service of a cloud has to be named.
        #expect(isAllowed(address) { $0.allowedHosts = ["*.example"] } == (kind != .metadata))
        #expect(isAllowed(address) { $0.allowedHosts = ["0.0.0.0/0", "::/0"] } == (kind != .metadata))
        #expect(isAllowed(address) { $0.allowedHosts = [address] })
        let inURL = try #require(IPAddress(text: address)).inURL
        #expect(isAllowed(address) { $0.allowedHosts = ["\(inURL):8080"] })
    }

    @Test("an entry of an address or a network allows the names that resolve to it, and nothing beside it")
    func networks() {
        for entry in ["10.0.0.7", "10.0.0.7:8080", "10.0.0.0/29", "10.0.0.0/8:8080", "[::ffff:10.0.0.7]"] {
            #expect(isAllowed("10.0.0.7") { $0.allowedHosts = [entry] }, "\(entry)")
            #expect(!isAllowed("192.168.0.7") { $0.allowedHosts = [entry] }, "\(entry)")
            #expect(!isAllowed("fd00::7") { $0.allowedHosts = [entry] }, "\(entry)")
        }
        #expect(!isAllowed("10.0.0.8") { $0.allowedHosts = ["10.0.0.0/29"] })
        for entry in ["fd00::7", "[fd00::7]:8080", "fd00::/8", "[fd00::]/8:8080", "fd00::/121"] {
            #expect(isAllowed("fd00::7") { $0.allowedHosts = [entry] }, "\(entry)")
            #expect(!isAllowed("fc00::7") { $0.allowedHosts = [entry] }, "\(entry)")
        }
        #expect(!isAllowed("10.0.0.7") { $0.allowedHosts = ["10.0.0.7:81"] })
        // A name that can only be local is not refused before its address is known.
        #expect(isAllowed("10.0.0.7", "http://nas.local/") { $0.allowedHosts = ["10.0.0.7"] })
        #expect(!isAllowed("10.0.0.8", "http://nas.local/") { $0.allowedHosts = ["10.0.0.7"] })
        #expect(isAllowed("169.254.169.254", "http://metadata/") { $0.allowedHosts = ["metadata"] })
        #expect(!isAllowed("8.8.8.8", "http://metadata.goog/") { $0.allowedHosts = ["*.goog", "8.8.8.8"] })
    }

    @Test("allowed ports hold with every allowance, and an entry's own port beside them")
    func ports() {
        for allow: (inout SecurityPolicy) -> Void in [
            { $0.allowsAnyAddress = true }, { $0.allowsLoopback = true }, { $0.allowedHosts = ["files.example"] },
            { $0.allowedHosts = ["*.example"] }, { $0.allowedHosts = ["127.0.0.1"] },
        ] {
            func isAllowed(at ports: Set<Int>) -> Bool {
                self.isAllowed("127.0.0.1") {
                    allow(&$0)
                    $0.allowedPorts = ports
                }
            }
            #expect(isAllowed(at: [8080]))
            #expect(!isAllowed(at: [80, 443]))
            #expect(!isAllowed(at: []))
        }
        for entry in ["files.example:8080", "*.example:8080", "127.0.0.1:8080", "127.0.0.0/8:8080"] {
            #expect(
                isAllowed("127.0.0.1") {
                    $0.allowedPorts = [443]
                    $0.allowedHosts = [entry]
                }, "\(entry)")
        }
    }

    @Test("a name is the one of the URL: what it resolves to has none")
    func rebinding() {
        #expect(!isAllowed("127.0.0.1", "http://other.example/") { $0.allowedHosts = ["files.example", "localhost"] })
        #expect(!isAllowed("127.0.0.1", "http://127.0.0.1/") { $0.allowedHosts = ["localhost"] })
        #expect(!isAllowed("127.0.0.1", "http://files.example.evil.example/") { $0.allowedHosts = ["files.example"] })
        #expect(!isAllowed("127.0.0.1", "http://evilfiles.example/") { $0.allowedHosts = ["*.files.example"] })
        #expect(!isAllowed("127.0.0.1", "http://files.example@other.example/") { $0.allowedHosts = ["files.example"] })
        #expect(isAllowed("10.0.0.1", "http://münchen.example/") { $0.allowedHosts = ["MÜNCHEN.example"] })
        #expect(isAllowed("10.0.0.1", "http://a.münchen.example/") { $0.allowedHosts = ["*.münchen.example"] })
    }

    @Test("an address of an unknown family is allowed only where everything is")
    func unknownFamily() {
        let url = URLDestination(url: "http://files.example/")
        #expect(SecurityPolicy.publicInternet.refusal(dialing: nil, for: url) != nil)
        #expect(SecurityPolicy.unrestricted.refusal(dialing: nil, for: url) == nil)
    }

    @Test(
        "an entry that means nothing is a complaint that quotes it",
        arguments: [
            "", "*", "*.", "*.*.example", "a*.example", "http://h/", "h/x", "10.0.0.0/33", "10.0.0.0/", "10.0/8",
            "10.0.0.0/x", "::/129", "[fd00::7", "fd00::7]", "[10.0.0.7]", "[fe80::1%25eth0]", "h:", "h:0", "h:65536",
            "h:x", "h:80:80", "a b", "user@h", "a..b", "%6c", "１", "h?x", "256.0.0.1", "127.1", "0x7f000001", "[::1]x",
        ])
    func entries(entry: String) {
        var policy = SecurityPolicy.publicInternet
        policy.allowedHosts = ["fine.example", entry]
        #expect(policy.complaint?.contains("\"\(entry)\"") == true)
    }

    @Test("ports and folders that mean nothing are complaints")
    func others() {
        var policy = SecurityPolicy.publicInternet
        for port in [0, -1, 65_536] {
            policy.allowedPorts = [80, port]
            #expect(policy.complaint?.contains("\(port)") == true)
        }
        policy.allowedPorts = [1, 65_535]
        policy.allowedDirectories = ["/tmp", "relative"]
        #expect(policy.complaint?.contains("relative") == true)
        policy.allowedDirectories = ["/tmp"]
        #expect(policy.complaint == nil)
    }
}
