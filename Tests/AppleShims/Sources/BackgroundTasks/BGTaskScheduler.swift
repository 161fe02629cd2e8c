// Not on macOS.
#if !APPLE_SHAPE_MACOS
public import Dispatch
import Foundation

/// doc: backgroundtasks/bgtaskscheduler; it launches nothing, a test does
public class BGTaskScheduler {
    /// doc: backgroundtasks/bgtaskscheduler/shared
    public class var shared: BGTaskScheduler { BGTaskScheduler() }

    /// doc: backgroundtasks/bgtaskscheduler/register(fortaskwithidentifier:using:launchhandler:)
    public func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { BackgroundTasksShim.register(identifier, queue ?? .global(), launchHandler) }

    /// doc: backgroundtasks/bgtaskscheduler/submit(_:)
    public func submit(_ taskRequest: BGTaskRequest) throws { try BackgroundTasksShim.submit(taskRequest) }

    /// doc: backgroundtasks/bgtaskscheduler/submittaskrequest(_:completionhandler:); iOS 27
    public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        precondition(!Thread.isMainThread, "not from the main thread: BGTaskScheduler.h of iOS 27")
        let result = Result { try BackgroundTasksShim.submit(taskRequest) }
        DispatchQueue.global().async {
            switch result {
            case .success: completionHandler(nil)
            case .failure(let error): completionHandler(error)
            }
        }
    }

    /// doc: backgroundtasks/bgtaskscheduler/cancel(taskrequestwithidentifier:)
    public func cancel(taskRequestWithIdentifier identifier: String) { BackgroundTasksShim.cancel(identifier) }

    /// doc: backgroundtasks/bgtaskscheduler/error
    public struct Error: Swift.Error {
        /// doc: backgroundtasks/bgtaskscheduler/error/code; its values: objc2, BGTaskSchedulerErrorCode
        public enum Code: Int, Sendable {
            case unavailable = 1
            case tooManyPendingTaskRequests = 2
            case notPermitted = 3
            case immediateRunIneligible = 4
        }

        /// The protocol of imported errors has it: swift-corelibs-foundation, NSError.swift, _BridgedStoredNSError
        public let code: Code
    }
}
#endif
