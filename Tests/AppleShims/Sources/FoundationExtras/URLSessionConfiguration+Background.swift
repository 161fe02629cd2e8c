import Foundation
public import FoundationNetworking

// What Linux lacks is kept in the proxy dictionary, of which Linux makes no use: it is the only property that a session
// copies and that has room. Code that sets `connectionProxyDictionary` has to set these afterwards.

extension URLSessionConfiguration {
    /// doc: foundation/urlsessionconfiguration/background(withidentifier:): here an ordinary configuration with an
    /// identifier, whose session transfers in this process
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.identifier = identifier
        return configuration
    }

    /// doc: foundation/urlsessionconfiguration/sessionsendslaunchevents; not on Linux
    public var sessionSendsLaunchEvents: Bool {
        get { attached("sessionSendsLaunchEvents") ?? true }
        set { attach(newValue, "sessionSendsLaunchEvents") }
    }

    /// doc: foundation/urlsessionconfiguration/sharedcontaineridentifier; cannot be set on Linux
    public var sharedContainerIdentifier: String? {
        get { attached("sharedContainerIdentifier") }
        set { attach(newValue, "sharedContainerIdentifier") }
    }

    /// doc: foundation/urlsessionconfiguration/waitsforconnectivity; unavailable on Linux
    public var waitsForConnectivity: Bool {
        get { attached("waitsForConnectivity") ?? false }
        set { attach(newValue, "waitsForConnectivity") }
    }

    /// doc: foundation/urlsessionconfiguration/allowsexpensivenetworkaccess; not on Linux
    public var allowsExpensiveNetworkAccess: Bool {
        get { attached("allowsExpensiveNetworkAccess") ?? true }
        set { attach(newValue, "allowsExpensiveNetworkAccess") }
    }

    /// doc: foundation/urlsessionconfiguration/allowsconstrainednetworkaccess; not on Linux
    public var allowsConstrainedNetworkAccess: Bool {
        get { attached("allowsConstrainedNetworkAccess") ?? true }
        set { attach(newValue, "allowsConstrainedNetworkAccess") }
    }

    private func attached<Value>(_ name: String) -> Value? {
        connectionProxyDictionary?["AppleShims." + name] as? Value
    }

    private func attach<Value>(_ value: Value?, _ name: String) {
        var values = connectionProxyDictionary ?? [:]
        values["AppleShims." + name] = value
        connectionProxyDictionary = values
    }
}
