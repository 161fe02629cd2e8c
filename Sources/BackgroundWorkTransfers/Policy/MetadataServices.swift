/// The services by which clouds tell their machines who they are, with credentials in many cases. Whoever can make a
/// program ask them can be that machine, so only an entry of their own in ``SecurityPolicy/allowedHosts`` allows them.
enum MetadataServices {
    /// Those of a single address.
    static let addresses: Set<IPAddress> = Set(
        [
            // Azure's host, Alibaba, Oracle's earlier cloud, Tencent, Scaleway.
            "168.63.129.16", "100.100.100.200", "192.0.0.192", "169.254.0.23", "169.254.42.42", "fd00:42::42",
            // Google, and OpenStack.
            "fd20:ce::254", "fe80::a9fe:a9fe",
        ].compactMap(IPAddress.init(text:)))

    /// Amazon's and those of most others in 169.254.169.0/24; containers' credentials in 169.254.170.0/24; Amazon's in
    /// fd00:ec2::/32.
    static func contains(_ address: IPAddress) -> Bool {
        let bytes = address.bytes
        return bytes.starts(with: [169, 254, 169]) && !address.isIPv6
            || bytes.starts(with: [169, 254, 170]) && !address.isIPv6
            || bytes.starts(with: [0xfd, 0x00, 0x0e, 0xc2]) && address.isIPv6
    }

    /// Names that clouds' resolvers give to them, in lower case.
    static let names: Set<String> = [
        "metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.azure.com",
        "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com", "instance-data",
        "instance-data.ec2.internal", "rancher-metadata",
    ]
}
