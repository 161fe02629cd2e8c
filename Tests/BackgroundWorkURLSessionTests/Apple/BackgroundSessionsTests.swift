import BackgroundWorkFoundation
import BackgroundWorkTransfers
import Foundation
import Testing

@testable import BackgroundWorkURLSession

/// What the options of a session make of its configuration.
struct BackgroundSessionsTests {
    private func configuration(_ change: (inout BackgroundSessionOptions) -> Void) -> URLSessionConfiguration {
        var options = BackgroundSessionOptions()
        change(&options)
        return BackgroundSessions.configuration("com.example.\(UUID().uuidString)", options, connectionsPerHost: 3)
    }

    @Test("every option is in the configuration")
    func options() {
        #expect(Mirror(reflecting: BackgroundSessionOptions()).children.count == 7)
        #expect(configuration { _ in }.sessionSendsLaunchEvents)
        #expect(!configuration { $0.sendsLaunchEvents = false }.sessionSendsLaunchEvents)
        #expect(configuration { $0.isDiscretionary = true }.isDiscretionary)
        #expect(!configuration { $0.allowsCellularAccess = false }.allowsCellularAccess)
        #expect(!configuration { $0.allowsExpensiveNetworkAccess = false }.allowsExpensiveNetworkAccess)
        #expect(!configuration { $0.allowsConstrainedNetworkAccess = false }.allowsConstrainedNetworkAccess)
        #expect(configuration { $0.resourceTimeout = .seconds(60) }.timeoutIntervalForResource == 60)
        #expect(configuration { $0.sharedContainerIdentifier = "group" }.sharedContainerIdentifier == "group")
        #expect(configuration { _ in }.httpMaximumConnectionsPerHost == 3)
        #expect(configuration { _ in }.waitsForConnectivity)
    }

    @Test("the options of a host's configuration are read back, and its session is created with it")
    func adopted() {
        let own = URLSessionConfiguration.background(withIdentifier: "com.example.\(UUID().uuidString)")
        own.isDiscretionary = true
        own.allowsExpensiveNetworkAccess = false
        let options = BackgroundSessionOptions(own)
        #expect(options.isDiscretionary && !options.allowsExpensiveNetworkAccess && options.allowsCellularAccess)
        own.httpAdditionalHeaders = ["X-Own": "1"]
        BackgroundSessions.adopt(own, as: own.identifier ?? "")
        let made = BackgroundSessions.configuration(own.identifier ?? "", options, connectionsPerHost: 2)
        #expect(made.httpAdditionalHeaders?["X-Own"] as? String == "1")
        #expect(made.isDiscretionary && made.httpMaximumConnectionsPerHost == 2)
    }
}
