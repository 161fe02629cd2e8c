/// A host as a URL may write it, and what policies say of it before any name is resolved.
package struct HostVector: Sendable, CustomStringConvertible {
    package enum Verdict: Sendable { case allowed, open, forbidden }

    /// All between `//` and the port.
    package let authority: String
    /// Under the policy for the public internet, alone and with `allowsLoopback` or `allowsPrivateNetworks`.
    package let publicInternet, loopback, privateNetworks: Verdict
    /// Whether libcurl certainly dials a server on 127.0.0.1 for it, when nothing forbids it: with a dot at the end, that
    /// depends on the resolver.
    package let dialsThisMachine: Bool

    init(
        _ authority: String, _ publicInternet: Verdict, _ loopback: Verdict, _ privateNetworks: Verdict,
        dialsThisMachine: Bool = false
    ) {
        self.authority = authority
        self.publicInternet = publicInternet
        self.loopback = loopback
        self.privateNetworks = privateNetworks
        self.dialsThisMachine = dialsThisMachine
    }

    package var description: String { authority }

    package func url(port: some BinaryInteger) -> String { "http://\(authority):\(port)/file" }

    private static func thisMachine(_ authority: String, isDialed: Bool = true) -> HostVector {
        HostVector(authority, .forbidden, .allowed, .forbidden, dialsThisMachine: isDialed)
    }

    private static func privateNetwork(_ authority: String) -> HostVector {
        HostVector(authority, .forbidden, .forbidden, .allowed)
    }

    private static func forbidden(_ authority: String, isDialed: Bool = false) -> HostVector {
        HostVector(authority, .forbidden, .forbidden, .forbidden, dialsThisMachine: isDialed)
    }

    private static func open(_ authority: String) -> HostVector { HostVector(authority, .open, .open, .open) }

    private static func allowed(_ authority: String) -> HostVector {
        HostVector(authority, .allowed, .allowed, .allowed)
    }

    package static let all = loopback + networks + services + special + names + unclear + open

    private static let loopback: [HostVector] = [
        thisMachine("127.0.0.1"), thisMachine("127.1"), thisMachine("127.0.1"), thisMachine("2130706433"),
        thisMachine("0x7f000001"), thisMachine("0x7F.1"), thisMachine("0177.0.0.1"), thisMachine("017700000001"),
        thisMachine("0177.0x0.0.01"), thisMachine("127.0.0.1.", isDialed: false),
        thisMachine("0x7f000001.", isDialed: false),
        thisMachine("user:word@127.0.0.1"), thisMachine("example.com@127.0.0.1"),
        thisMachine("[::ffff:127.0.0.1]"), thisMachine("[::ffff:7f00:1]"), thisMachine("[0:0:0:0:0:FFFF:7F00:1]"),
        thisMachine("0"), thisMachine("0.0.0.0"), thisMachine("0x0"), thisMachine("127.255.255.254", isDialed: false),
        thisMachine("[::1]", isDialed: false), thisMachine("[0:0:0:0:0:0:0:1]", isDialed: false),
        thisMachine("[::]", isDialed: false), thisMachine("[::ffff:0.0.0.0]"),
    ]

    private static let networks: [HostVector] = [
        privateNetwork("10.0.0.1"), privateNetwork("10.1"), privateNetwork("0xa000001"), privateNetwork("167772161"),
        privateNetwork("172.16.0.1"), privateNetwork("172.31.255.255"), privateNetwork("192.168.0.1"),
        privateNetwork("192.168.1"), privateNetwork("0300.0250.0.1"), privateNetwork("100.64.0.1"),
        privateNetwork("169.254.1.1"), privateNetwork("[fd00::1]"), privateNetwork("[fc00::1]"),
        privateNetwork("[fe80::1]"), privateNetwork("[fe80::1%25eth0]"), privateNetwork("[fe80::1%eth0]"),
        privateNetwork("[::ffff:10.0.0.1]"), privateNetwork("[::10.0.0.1]"), privateNetwork("[64:ff9b::a00:1]"),
        privateNetwork("[2002:a00:1::1]"), privateNetwork("[fec0::1]"), privateNetwork("[2606:4700::5efe:a00:1]"),
        privateNetwork("10.0.0.1."),
    ]

    /// Of clouds.
    private static let services: [HostVector] = [
        forbidden("169.254.169.254"), forbidden("2852039166"), forbidden("0xa9fea9fe"), forbidden("169.254.43518"),
        forbidden("0251.0376.0251.0376"), forbidden("[::ffff:a9fe:a9fe]"), forbidden("[64:ff9b::a9fe:a9fe]"),
        forbidden("[2002:a9fe:a9fe::]"), forbidden("[fe80::a9fe:a9fe]"), forbidden("169.254.170.2"),
        forbidden("[fd00:ec2::254]"), forbidden("[fd00:ec2::23]"), forbidden("[fd20:ce::254]"),
        forbidden("168.63.129.16"), forbidden("100.100.100.200"), forbidden("192.0.0.192"),
        forbidden("169.254.42.42"), forbidden("[fd00:42::42]"), forbidden("metadata"), forbidden("metadata."),
        forbidden("metadata.google.internal"), forbidden("METADATA.google.internal."), forbidden("metadata.goog"),
        forbidden("instance-data"), forbidden("metadata.azure.internal"), forbidden("metadata.tencentyun.com"),
    ]

    /// Neither public nor of a network of their own.
    private static let special: [HostVector] = [
        forbidden("0.0.0.1"), forbidden("224.0.0.1"), forbidden("239.255.255.250"), forbidden("240.0.0.1"),
        forbidden("255.255.255.255"), forbidden("192.0.2.1"), forbidden("198.51.100.1"), forbidden("203.0.113.9"),
        forbidden("198.18.0.1"), forbidden("192.0.0.1"), forbidden("192.88.99.1"), forbidden("[ff02::1]"),
        forbidden("[2001:db8::1]"), forbidden("[3fff::1]"), forbidden("[2001::1]"),
        forbidden("[2001:0:4136:e378:8000:63bf:3fff:fdd2]"), forbidden("[::127.0.0.1]"),
        forbidden("[64:ff9b::7f00:1]"), forbidden("[64:ff9b:1::808:808]"), forbidden("[2002:7f00:1::]"),
        forbidden("[100::1]"), forbidden("[2606:4700::200:5efe:7f00:1]"), forbidden("[4000::1]"),
    ]

    private static let names: [HostVector] = [
        HostVector("localhost", .forbidden, .open, .forbidden, dialsThisMachine: true),
        HostVector("LOCALHOST", .forbidden, .open, .forbidden, dialsThisMachine: true),
        HostVector("localhost.", .forbidden, .open, .forbidden),
        HostVector("foo.localhost", .forbidden, .open, .forbidden),
        HostVector("a.b.localhost.", .forbidden, .open, .forbidden),
        HostVector("localhost.localdomain", .forbidden, .open, .forbidden),
        HostVector("printer.local", .forbidden, .open, .open), HostVector("a.b.LOCAL.", .forbidden, .open, .open),
    ]

    /// What programs may read in more than one way.
    private static let unclear: [HostVector] = [
        forbidden("%31%32%37.0.0.1", isDialed: true), forbidden("127%2e0.0.1", isDialed: true),
        forbidden("%6cocalhost", isDialed: true), forbidden("%00"), forbidden("localhost%2f.example.com"),
        forbidden("example.com%00.localhost"), forbidden("m%C3%BCnchen.example"),
        // Fullwidth digits, ideographic full stops, circled letters, soft hyphens, mathematical letters.
        forbidden("１２７.0.0.1"), forbidden("127。0。0。1"), forbidden("127．0.0.1"), forbidden("127｡0.0.1"),
        forbidden("ⓛocalhost"), forbidden("local\u{ad}host"), forbidden("𝐥ocalhost"), forbidden("ｌｏｃａｌｈｏｓｔ"),
        forbidden("loc\u{200b}alhost"), forbidden("loca\u{200d}lhost"), forbidden("\u{2488}example"),
        forbidden("example.com／.localhost"), forbidden("example℀com"),
        forbidden("a@b@127.0.0.1"), forbidden("127.0.0.1@b@example.com"), forbidden("example.com\\@127.0.0.1"),
        forbidden("127.0.0.1\\@example.com"), forbidden("127.0.0.1\\.example.com"), forbidden(""), forbidden("."),
        forbidden("a..b"), forbidden(".localhost"), forbidden("localhost.."), forbidden("127.0.0.1.."),
        forbidden("256.0.0.1"), forbidden("127.0.0.0.1"), forbidden("4294967296"), forbidden("08.0.0.1"),
        forbidden("0x"), forbidden("1.2.3.0x"), forbidden("example.com.1"), forbidden("[::1"), forbidden("[::1]x"),
        forbidden("[127.0.0.1]"), forbidden("[]"), forbidden("[::1%25lo]"), forbidden("[2606:4700::1%25lo]"),
        forbidden("[fe80::1%25]"), forbidden("[v1.fe80::1]"), forbidden("::1"), forbidden("a b"), forbidden("a\tb"),
        forbidden("a\u{1}b"), forbidden("a!b"), forbidden("127.0.0.1,example.com"), forbidden("exam\u{7f}ple"),
    ]

    /// Only the resolved address tells.
    private static let open: [HostVector] = [
        open("example.com"), open("user@example.com"), open("127.0.0.1.nip.io"), open("127.0.0.1.example"),
        open("localhost.example.com"), open("notlocalhost"), open("local"), open("mylocal"), open("a.local.example"),
        open("intranet"), open("a.internal"), open("xn--mnchen-3ya.example"), open("münchen.example"),
        open("MÜNCHEN.example"), open("straße.example"), open("例え.テスト"), open("ουτοπία.example"), open("a_b.example"),
        open("metadata.example"), open("0x7f.example"), open("1.2.3.com"), open("localhost1"), open("lo\u{212a}i"),
        allowed("1.1.1.1"), allowed("1.1.1.1."), allowed("16843009"), allowed("[2606:4700::1111]"),
        allowed("[::ffff:8.8.8.8]"), allowed("[64:ff9b::808:808]"), allowed("[2002:808:808::1]"),
        allowed("[2606:4700::5efe:808:808]"), allowed("168.63.129.17"), allowed("172.32.0.1"),
    ]
}
