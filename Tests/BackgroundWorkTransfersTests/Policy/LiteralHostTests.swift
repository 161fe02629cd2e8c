import Testing

@testable import BackgroundWorkTransfers

@Suite("Hosts as URLs write them")
struct LiteralHostTests {
    @Test(
        "an address that is not public is rejected in whatever spelling",
        arguments: [
            "http://127.0.0.1/", "http://127.1/", "http://127.0.1:8080/x", "http://2130706433/", "http://0x7f000001/",
            "http://0x7f.1/", "http://0177.0.0.1/", "http://10.0.0.1/", "http://0xa9fea9fe/", "http://169.254.169.254/",
            "http://0/", "http://[::1]/", "http://[::1]:80/", "http://[::]/", "http://[::ffff:10.0.0.1]/",
            "http://[::ffff:a00:1]/", "http://[0:0:0:0:0:ffff:7f00:1]/", "http://[fd00::1]/", "http://[fe80::1]/",
            "http://[fe80::1%25eth0]/", "http://[2606:4700::1%25lo]/", "http://[64:ff9b::7f00:1]/",
            "http://user:pass@127.0.0.1/", "http://example.com@127.0.0.1/", "HTTP://127.0.0.1", "http://127.0.0.1?x",
            "http://127.0.0.1#x", "http://127.0.0.1./", "http://127.1./", "http://0x7f000001./",
        ])
    func refusedAddress(url: String) {
        #expect(!LiteralHost(url: url).isAllowedThroughProxy)
        // Public except for the interface that it names, which the connection check ignores.
        #expect(LiteralHost(url: url).isSurelyLocal != url.contains("%25lo"))
    }

    @Test(
        "names of this machine and of its link are rejected",
        arguments: [
            "http://localhost/", "http://LOCALHOST:80/", "http://localhost./", "http://a.localhost/",
            "http://a.localhost./", "http://printer.local/", "https://a.b.LOCAL.:8080/",
        ])
    func refusedName(url: String) {
        #expect(!LiteralHost(url: url).isAllowedThroughProxy)
        #expect(LiteralHost(url: url).isSurelyLocal)
    }

    @Test(
        "an invalid host is not given to a proxy",
        arguments: [
            "http:///x", "http://:80/", "http://./", "nonsense", "", "http://[nonsense:1]/", "http://[]/",
            "http://[2606:4700::1/",
        ])
    func none(url: String) {
        #expect(!LiteralHost(url: url).isAllowedThroughProxy)
        #expect(!LiteralHost(url: url).isSurelyLocal)
    }

    /// libcurl decodes percent signs, and maps characters beyond ASCII to their ASCII equivalents.
    @Test(
        "a host that libcurl reads differently is not given to a proxy, and is checked when it is connected",
        arguments: [
            "http://%31%32%37.0.0.1/", "http://127%2e0.0.1/", "http://%6cocalhost/", "http://１２７.0.0.1/",
            "http://127。0。0。1/", "http://ⓛocalhost/",
        ])
    func disguised(url: String) {
        #expect(!LiteralHost(url: url).isAllowedThroughProxy)
        #expect(!LiteralHost(url: url).isSurelyLocal)
    }

    @Test(
        "public addresses and other names are left to the proxy, and to the check at the connection",
        arguments: [
            "http://example.com/", "https://example.com:8443/x", "http://1.1.1.1/", "http://1.1.1.1./",
            "http://[2606:4700::1111]/", "http://localhost.example.com/", "http://notlocalhost/",
            "http://127.0.0.1.example/",
            "http://xn--bcher-kva.example/", "http://intranet/", "http://local/", "http://mylocal/",
            "http://a.local.example/", "http://a.internal/",
        ])
    func allowed(url: String) {
        #expect(LiteralHost(url: url).isAllowedThroughProxy)
        #expect(!LiteralHost(url: url).isSurelyLocal)
    }
}
