import BackgroundWorkModel
import Testing

@testable import BackgroundWorkTransfers

struct ProxyRulesTests {
    @Test(
        "the variables are read as curl reads them",
        arguments: [
            ("http://h/", ["http_proxy": "http://p:1"], ProxyChoice.url("http://p:1")),
            ("https://h/", ["http_proxy": "http://p:1"], .direct),
            // Set by any client that sends a request with a header named Proxy to a CGI program.
            ("http://h/", ["HTTP_PROXY": "http://p:1"], .direct),
            ("https://h/", ["HTTPS_PROXY": "http://p:2"], .url("http://p:2")),
            ("https://h/", ["HTTPS_PROXY": "http://P:2", "https_proxy": "http://p:3"], .url("http://p:3")),
            ("http://h/", ["all_proxy": "socks5://p:4"], .url("socks5://p:4")),
            ("http://h/", ["ALL_PROXY": "socks5h://p:4"], .url("socks5h://p:4")),
            ("http://h/", ["all_proxy": "http://a", "http_proxy": "http://b"], .url("http://b")),
            ("http://h/", ["http_proxy": "", "all_proxy": "http://a"], .url("http://a")),
            ("http://h/", ["http_proxy": "p:8080"], .url("http://p:8080")), ("http://h/", [:], .direct),
            ("http://h/", ["http_proxy": "http://p", "no_proxy": "h"], .direct),
            ("http://h/", ["http_proxy": "http://p", "NO_PROXY": "h"], .direct),
            ("http://h/", ["http_proxy": "http://p", "NO_PROXY": "h", "no_proxy": "other"], .url("http://p")),
        ])
    func variables(url: String, environment: [String: String], expected: ProxyChoice) throws {
        #expect(try ProxyRules.fromEnvironment(environment, for: url, under: .unrestricted) == expected)
    }

    @Test(
        "no_proxy lists names with what is below them, addresses, networks, or everything",
        arguments: [
            ("*", "http://h/", true), ("example.com", "http://example.com/", true),
            ("example.com", "http://www.Example.com:8080/", true), ("example.com", "http://notexample.com/", false),
            (".example.com", "http://example.com./", true), ("EXAMPLE.com.", "http://a.example.com/", true),
            ("a, example.com b", "http://example.com/", true), ("example.com", "http://u:p@example.com@/", false),
            ("example.com", "http://example.com@other/", false), ("", "http://h/", false), (",.,", "http://h/", false),
            ("10.0.0.0/8", "http://10.2.3.4/", true), ("10.0.0.0/8", "http://11.2.3.4/", false),
            ("192.168.4.0/22", "http://192.168.7.255/", true), ("192.168.4.0/22", "http://192.168.8.0/", false),
            ("10.0.0.1", "http://10.0.0.1:80/", true), ("0.0.0.1", "http://10.0.0.1/", false),
            ("10.0.0.0/33", "http://10.0.0.0/", false), ("10.0.0.0/x", "http://10.0.0.0/", false),
            ("0.0.0.0/0", "http://10.0.0.1/", false), ("[::1]", "http://[::1]:80/", true),
            ("fe80::/10", "http://[FEBF::1%25eth0]/", true), ("fe80::/10", "http://[fec0::1]/", false),
            ("::1/128", "http://[0:0:0:0:0:0:0:1]/", true), ("10.0.0.0/8", "http://ten.example/", false),
        ])
    func exceptions(list: String, url: String, isDirect: Bool) throws {
        let choice = try ProxyRules.fromEnvironment(
            ["http_proxy": "http://p", "no_proxy": list], for: url, under: .unrestricted)
        #expect(choice == (isDirect ? .direct : .url("http://p")))
    }

    @Test("automatic uses the environment only where addresses are not restricted, and an explicit choice is kept")
    func choices() throws {
        let environment = { ["http_proxy": "http://p"] }
        func resolved(_ choice: ProxyChoice, _ policy: SecurityPolicy) throws -> ProxyChoice {
            try ProxyRules.resolved(choice, for: "http://h/", under: policy, environment: environment)
        }
        #expect(try resolved(.automatic, .unrestricted) == .url("http://p"))
        #expect(try resolved(.automatic, .publicInternet) == .direct)
        for url in ["http://localhost:8080/", "http://127.0.0.2/", "http://[::1]/"] {
            let choice = try ProxyRules.resolved(.automatic, for: url, under: .unrestricted, environment: environment)
            #expect(choice == .direct)
        }
        #expect(try resolved(.environment, .publicInternet) == .url("http://p"))
        #expect(try resolved(.direct, .unrestricted) == .direct)
        #expect(try resolved(.url("socks5://q"), .unrestricted) == .url("socks5://q"))
    }

    @Test(
        "a proxy that cannot be used is an error that names the variable, not a direct connection",
        arguments: ["socks4://p", "ftp://p", "http://", "http://a b"])
    func unusable(proxy: String) {
        let error = #expect(throws: ProxyRules.UnusableProxy.self) {
            try ProxyRules.fromEnvironment(["all_proxy": proxy], for: "https://h/", under: .unrestricted)
        }
        #expect(error?.description.contains("all_proxy") == true)
    }

    @Test("under the policy for the public internet a local proxy cannot be used, wherever it is named")
    func local() throws {
        for proxy in ["http://127.1:3128", "socks5h://localhost.", "http://[fd00::1]:3128", "https://proxy.local"] {
            #expect(ProxyRules.complaint(about: proxy, under: .publicInternet)?.contains("securityPolicy") == true)
            #expect(ProxyRules.complaint(about: proxy, under: .unrestricted) == nil)
            let error = #expect(throws: ProxyRules.UnusableProxy.self) {
                try ProxyRules.resolved(.environment, for: "http://h/", under: .publicInternet) {
                    ["http_proxy": proxy]
                }
            }
            #expect(error?.variable == "http_proxy")
        }
        #expect(ProxyRules.complaint(about: "http://proxy:3128", under: .publicInternet) == nil)
    }
}
