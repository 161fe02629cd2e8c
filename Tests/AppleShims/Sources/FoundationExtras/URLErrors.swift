public import Foundation
import FoundationNetworking

/// doc: foundation/nsurlsessiondownloadtaskresumedata; on Linux by another name
public let NSURLSessionDownloadTaskResumeData: String = URLSessionDownloadTaskResumeData
/// doc: foundation/nsurlerrornetworkunavailablereasonkey; not on Linux
public let NSURLErrorNetworkUnavailableReasonKey: String = "NSURLErrorNetworkUnavailableReasonKey"

extension URLError {
    /// doc: foundation/urlerror/downloadtaskresumedata; not on Linux
    public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

    /// doc: foundation/urlerror/backgroundtaskcancelledreason-swift.enum; not on Linux
    public enum BackgroundTaskCancelledReason: Sendable {
        /// doc: foundation/urlerror/backgroundtaskcancelledreason-swift.enum/userforcequitapplication
        case userForceQuitApplication
        /// doc: foundation/urlerror/backgroundtaskcancelledreason-swift.enum/backgroundupdatesdisabled
        case backgroundUpdatesDisabled
        /// doc: foundation/urlerror/backgroundtaskcancelledreason-swift.enum/insufficientsystemresources
        case insufficientSystemResources
    }

    /// doc: foundation/urlerror/backgroundtaskcancelledreason-swift.property; not on Linux. The numbers: objc2
    /// Foundation/NSURLError.rs
    public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
        switch userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int {
        case 0: .userForceQuitApplication
        case 1: .backgroundUpdatesDisabled
        case 2: .insufficientSystemResources
        default: nil
        }
    }

    /// doc: foundation/urlerror/networkunavailablereason-swift.enum; not on Linux
    public enum NetworkUnavailableReason: Sendable {
        /// doc: foundation/urlerror/networkunavailablereason-swift.enum/cellular
        case cellular
        /// doc: foundation/urlerror/networkunavailablereason-swift.enum/expensive
        case expensive
        /// doc: foundation/urlerror/networkunavailablereason-swift.enum/constrained
        case constrained
    }

    /// doc: foundation/urlerror/networkunavailablereason-swift.property; not on Linux. The numbers: objc2
    /// Foundation/NSURLError.rs
    public var networkUnavailableReason: NetworkUnavailableReason? {
        switch userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int {
        case 0: .cellular
        case 1: .expensive
        case 2: .constrained
        default: nil
        }
    }
}
