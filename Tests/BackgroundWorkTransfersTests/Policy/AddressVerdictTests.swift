import BackgroundWorkModel
import TestSupport
import Testing

@testable import BackgroundWorkTransfers

/// What policies say of URLs as they are written.
struct AddressVerdictTests {
    private func policy(_ change: (inout SecurityPolicy) -> Void) -> SecurityPolicy {
        var policy = SecurityPolicy.publicInternet
        change(&policy)
        return policy
    }

    private func verdict(_ policy: SecurityPolicy, _ url: String) -> HostVector.Verdict {
        switch policy.verdict(on: URLDestination(url: url)) {
        case .allowed: .allowed
        case .dependsOnAddress: .open
        case .forbidden: .forbidden
        }
    }

    @Test("each spelling of a host has one meaning, or is refused", arguments: HostVector.all)
    func spellings(vector: HostVector) {
        let url = vector.url(port: 8080)
        #expect(verdict(.publicInternet, url) == vector.publicInternet)
        #expect(verdict(policy { $0.allowsLoopback = true }, url) == vector.loopback)
        #expect(verdict(policy { $0.allowsPrivateNetworks = true }, url) == vector.privateNetworks)
        #expect(verdict(.unrestricted, url) == .allowed)
        // Of no port but its own.
        #expect(verdict(policy { ($0.allowsAnyAddress, $0.allowedPorts) = (true, [80]) }, url) == .forbidden)
    }

    @Test("what is forbidden says by which rule, and what allows it", arguments: HostVector.all)
    func words(vector: HostVector) throws {
        guard vector.publicInternet == .forbidden else { return }
        let complaint = try #require(SecurityPolicy.publicInternet.complaint(about: vector.url(port: 8080)))
        #expect(complaint.contains("securityPolicy") || complaint.contains("that every program reads alike. Write "))
        guard vector.loopback != .forbidden || vector.privateNetworks != .forbidden else { return }
        let allowance = vector.loopback == .forbidden ? "allowsPrivateNetworks" : "allowsLoopback"
        #expect(complaint.contains(allowance) || vector.authority.lowercased().contains("local"), "\(complaint)")
        #expect(complaint.contains("--allow-private"))
    }

    @Test(
        "an entry of the allowed hosts that the message names allows the host",
        arguments: HostVector.all.filter { $0.publicInternet == .forbidden })
    func advice(vector: HostVector) throws {
        let url = vector.url(port: 8080)
        let complaint = try #require(SecurityPolicy.publicInternet.complaint(about: url))
        guard let start = complaint.firstRange(of: "add \"")?.upperBound else {
            // Nothing but a clear URL helps.
            #expect(complaint.contains("that every program reads alike. Write "), "\(complaint)")
            return
        }
        let entry = String(complaint[start...].prefix { $0 != "\"" })
        #expect(policy { $0.allowedHosts = [entry] }.complaint == nil)
        #expect(verdict(policy { $0.allowedHosts = [entry] }, url) == .allowed, "\(entry)")
        #expect(verdict(policy { $0.allowedHosts = [entry + ":8080"] }, url) == .allowed, "\(entry)")
        #expect(verdict(policy { $0.allowedHosts = [entry + ":8081"] }, url) == .forbidden, "\(entry)")
    }

    @Test(
        "ports are numbers from 1 to 65535, and the standard ones if there is none",
        arguments: [
            ("http://1.1.1.1/", [80], true), ("https://1.1.1.1/", [443], true), ("https://1.1.1.1/", [80], false),
            ("http://1.1.1.1:443/", [443], true), ("http://1.1.1.1:/", [80], true), ("http://1.1.1.1:080/", [80], true),
            ("http://1.1.1.1:0/", [0], false), ("http://1.1.1.1:65536/", [80], false),
            ("http://1.1.1.1:+80/", [80], false), ("http://1.1.1.1:8 0/", [80], false),
            ("http://1.1.1.1:99999999999999999999/", [80], false), ("http://[2606:4700::1]:81/", [81], true),
        ] as [(String, Set<Int>, Bool)])
    func ports(url: String, ports: Set<Int>, isAllowed: Bool) {
        #expect((verdict(policy { $0.allowedPorts = ports }, url) == .allowed) == isAllowed)
        #expect(
            (verdict(policy { ($0.allowsAnyAddress, $0.allowedPorts) = (true, ports) }, url) == .allowed) == isAllowed)
    }

    @Test("a proxy has curl's standard ports")
    func proxies() {
        let only1080 = policy { $0.allowedPorts = [1080] }
        for proxy in ["http://proxy.example", "socks5://proxy.example", "socks5h://proxy.example:1080"] {
            #expect(only1080.refusal(of: URLDestination(proxy: proxy)) == nil)
        }
        for proxy in ["http://proxy.example:80", "https://proxy.example", "socks5h://proxy.example:1081"] {
            #expect(only1080.refusal(of: URLDestination(proxy: proxy)) != nil)
        }
    }

    @Test("through a proxy an unclear host is refused, and the server's own text decides")
    func throughProxy() {
        let proxy = IPAddress(text: "1.1.1.1")
        for vector in HostVector.all {
            let refusal = SecurityPolicy.publicInternet.refusal(
                dialing: proxy, for: vector.url(port: 80), through: "http://1.1.1.1:3128")
            #expect((refusal != nil) == (vector.publicInternet == .forbidden), "\(vector)")
        }
        let local = IPAddress(text: "127.0.0.1")
        let refusal = SecurityPolicy.publicInternet.refusal(
            dialing: local, for: "http://example.com/", through: "http://proxy.example")
        #expect(refusal?.target == "127.0.0.1 of its proxy")
    }
}
