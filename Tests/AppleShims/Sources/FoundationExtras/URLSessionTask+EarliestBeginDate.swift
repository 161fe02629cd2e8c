public import Foundation
public import FoundationNetworking

private let dates = AttachedValues<Date>()

extension URLSessionTask {
    /// doc: foundation/urlsessiontask/earliestbegindate; deprecated on Linux, where it has no effect, as here
    public var earliestBeginDate: Date? {
        get { dates[self] }
        set { dates[self] = newValue }
    }
}
