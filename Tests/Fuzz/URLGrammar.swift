/// URLs in all spellings that have ever misled a program, and mixtures of them.
struct URLGrammar {
    private static let ipv4: [[UInt8]] = [
        [127, 0, 0, 1], [127, 1, 2, 3], [0, 0, 0, 0], [10, 0, 0, 1], [169, 254, 169, 254], [192, 168, 0, 1],
        [172, 16, 0, 1], [100, 64, 0, 1], [224, 0, 0, 1], [255, 255, 255, 255], [8, 8, 8, 8], [168, 63, 129, 16],
    ]
    private static let ipv6 = [
        "::1", "::", "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::127.0.0.1",
        "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "fe80::1", "fd00:ec2::254", "fec0::1", "ff02::1",
        "2606:4700::1111", "2606:4700::5efe:7f00:1", "2001:db8::1", "0:0:0:0:0:0:0:1", "::FFFF:0:0",
        "::ffff:0:127.0.0.1",
        "64:ff9b:1::1", "1::2::3", "12345::1",
    ]
    private static let names = [
        "localhost", "foo.localhost", "localhost.localdomain", "printer.local", "metadata.google.internal", "metadata",
        "example.com", "127.0.0.1.nip.io", "a_b.example", "xn--mnchen-3ya.example", "münchen.example", "straße.example",
        "例え.テスト", "local", "0x7f.example", "intranet", "xn--127", "1.example", "a-.example", "-a.example",
    ]
    /// What is mapped to ASCII, ignored, or ends a host somewhere.
    private static let tricks = [
        "\\", "@", "#", "?", "/", ":", "%", "%25", "%00", "%2e", "%2f", "%40", "%0a", "%09", "%20", "\t", "\n", "\r",
        " ",
        "\u{ad}", "\u{200b}", "\u{200d}", "\u{2060}", "\u{3002}", "\u{ff0e}", "\u{ff61}", "\u{2488}", "\u{24db}",
        "\u{ff11}", "\u{2460}", "\u{1d7cf}", "\u{212a}", "\u{17f}", "\u{130}", "\u{ff0f}", "\u{ff20}", "\u{fe55}",
        "\u{2100}", "\u{301}", "\u{338}", "\u{feff}", "\u{202e}", "\u{7f}", "\u{1}", "[", "]", ".", "..", ";", ",", "'",
        "\"", "<", "|", "{", "~", "$", "!", "*", "(", "+", "=", "&", "^", "`",
    ]

    var random: Randomness

    mutating func url() -> String {
        var text = random.one(of: ["http", "http", "http", "https", "HTTP", "hTTps"])
        text += random.oneIn(15) ? random.one(of: [":/", ":///", "://///", ":\\\\", ":", "//", "://\t"]) : "://"
        if random.oneIn(5) { text += userInfo() }
        text += host()
        if random.oneIn(3) { text += ":" + port() }
        text += random.one(of: [
            "", "/", "/path", "?query", "#part", "/a@b", "/@127.0.0.1/", "?@127.0.0.1", "\\@127.0.0.1/",
        ])
        while random.oneIn(4) { text = mutated(text) }
        return text
    }

    private mutating func userInfo() -> String {
        random.one(of: [
            "user@", "user:word@", "@", "a@b@", "127.0.0.1@", "example.com:80@", "%40@", "u:p:q@", "é@", "[::1]@",
        ])
    }

    private mutating func port() -> String {
        random.one(of: [
            "80", "8080", "0", "65535", "65536", "", "080", "+80", "80x", "８０", "-1", "4294967376", "%38%30",
        ])
    }

    private mutating func host() -> String {
        var host =
            switch random.number(below: 4) {
            case 0, 1: number()
            case 2: bracketed()
            default: random.one(of: Self.names)
            }
        if random.oneIn(6) { host += random.one(of: [".", "..", ".example", "。"]) }
        if random.oneIn(6) { host = percentEncoded(host) }
        if random.oneIn(6) { host = disguised(host) }
        if random.oneIn(6) { host = random.oneIn(2) ? host.uppercased() : host.lowercased() }
        return host
    }

    private mutating func address() -> [UInt8] {
        random.oneIn(4) ? (0..<4).map { _ in UInt8(random.number(below: 256)) } : random.one(of: Self.ipv4)
    }

    /// An IPv4 address in one of the forms of inet_aton.
    private mutating func number() -> String {
        let bytes = address().map { UInt64($0) }
        let count = 1 + random.number(below: 4)
        var parts = bytes.prefix(count - 1).map { $0 }
        parts.append(bytes.dropFirst(count - 1).reduce(0) { $0 << 8 | $1 })
        if random.oneIn(12) { parts[parts.count - 1] += 1 << 32 }
        if random.oneIn(12) { parts.append(UInt64(random.number(below: 300))) }
        return parts.map { spelled($0) }.joined(separator: ".")
    }

    private mutating func spelled(_ part: UInt64) -> String {
        let zeros = String(repeating: "0", count: random.oneIn(5) ? 1 + random.number(below: 3) : 0)
        switch random.number(below: 4) {
        case 0: return "0" + zeros + String(part, radix: 8)
        case 1: return random.one(of: ["0x", "0X"]) + zeros + String(part, radix: 16, uppercase: random.oneIn(2))
        default: return random.oneIn(10) ? zeros + String(part) : String(part)
        }
    }

    private mutating func bracketed() -> String {
        var text = random.one(of: Self.ipv6)
        if random.oneIn(4) {
            let bytes = address()
            text = random.one(of: ["::ffff:", "64:ff9b::", "::"]) + bytes.map(String.init).joined(separator: ".")
        }
        if random.oneIn(6) { text += random.one(of: ["%25eth0", "%eth0", "%25", "%", "%25lo]", "%251"]) }
        return random.oneIn(20) ? text : "[\(text)]"
    }

    private mutating func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            random.oneIn(3) || byte >= 0x80
                ? "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) : String(Unicode.Scalar(byte))
        }.joined()
    }

    /// With letters and digits that are mapped to those of ASCII.
    private mutating func disguised(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    guard random.oneIn(3), (0x21...0x7e).contains(scalar.value) else { return scalar }
                    return Unicode.Scalar(scalar.value + 0xfee0) ?? scalar
                }))
    }

    private mutating func mutated(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        let place = random.number(below: scalars.count + 1)
        switch random.number(below: 4) {
        case 0 where place < scalars.count: scalars.remove(at: place)
        case 1 where place < scalars.count: scalars.insert(scalars[place], at: place)
        default: scalars.insert(contentsOf: random.one(of: Self.tricks).unicodeScalars, at: place)
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
