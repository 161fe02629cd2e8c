import BackgroundWorkFoundation
import Foundation
import Testing

@Suite("What Linux's Foundation lacks")
struct FoundationExtrasTests {
    @Test("a session's configuration keeps what was set")
    func configuration() {
        let configuration = URLSessionConfiguration.background(withIdentifier: "a")
        #expect(configuration.sessionSendsLaunchEvents)
        #expect(configuration.allowsExpensiveNetworkAccess && configuration.allowsConstrainedNetworkAccess)
        configuration.sessionSendsLaunchEvents = false
        configuration.allowsExpensiveNetworkAccess = false
        configuration.sharedContainerIdentifier = "group.a"
        configuration.waitsForConnectivity = true
        let copy = URLSession(configuration: configuration).configuration
        #expect(copy.identifier == "a")
        #expect(!copy.sessionSendsLaunchEvents && !copy.allowsExpensiveNetworkAccess)
        #expect(copy.allowsConstrainedNetworkAccess && copy.waitsForConnectivity)
        #expect(copy.sharedContainerIdentifier == "group.a")
        configuration.sharedContainerIdentifier = nil
        #expect(configuration.sharedContainerIdentifier == nil)
    }

    @Test("errors tell why")
    func errors() {
        let error = URLError(
            .cancelled,
            userInfo: [NSURLErrorBackgroundTaskCancelledReasonKey: 1, NSURLSessionDownloadTaskResumeData: Data([1])])
        #expect(error.backgroundTaskCancelledReason == .backgroundUpdatesDisabled)
        #expect(error.downloadTaskResumeData == Data([1]))
        #expect(error.networkUnavailableReason == nil)
        let network = URLError(.notConnectedToInternet, userInfo: [NSURLErrorNetworkUnavailableReasonKey: 2])
        #expect(network.networkUnavailableReason == .constrained)
    }

    @Test("a value is attached to its object only")
    func attachedValues() throws {
        let session = URLSession(configuration: .default)
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let (first, second) = (session.downloadTask(with: url), session.downloadTask(with: url))
        first.earliestBeginDate = Date(timeIntervalSince1970: 1)
        #expect(first.earliestBeginDate == Date(timeIntervalSince1970: 1))
        #expect(second.earliestBeginDate == nil)
        first.earliestBeginDate = nil
        #expect(first.earliestBeginDate == nil)
    }

    @Test("notifications come as a sequence")
    func notifications() async {
        let center = NotificationCenter()
        let notifications = center.notifications(named: .NSSystemClockDidChange)
        center.post(name: .NSSystemClockDidChange, object: nil, userInfo: ["number": 1])
        let number = await notifications.first { _ in true }?.userInfo?["number"] as? Int
        #expect(number == 1)
    }

    #if !APPLE_SHAPE_MACOS
    @Test("an activity that still runs is told to end")
    func expiringActivity() async {
        let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
        let release = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "test") { isExpired in
            continuation.yield(isExpired)
            if isExpired { release.signal() } else { release.wait() }
        }
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == false)
        ExpiringActivityShim.expireAll()
        #expect(await iterator.next() == true)
    }
    #endif
}
