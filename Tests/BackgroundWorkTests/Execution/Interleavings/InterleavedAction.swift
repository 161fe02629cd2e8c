/// One thing that happens to items and owners, both by number.
enum InterleavedAction: Hashable, CustomStringConvertible {
    case enqueue(Int, by: Int)
    /// In one transaction.
    case enqueueAndCancel(Int, by: Int)
    case cancel(Int, by: Int)
    /// Its worker returns.
    case finish(Int)
    case look(Int)
    case readNews(Int)
    case pause(by: Int)
    case resume(by: Int)
    /// Both halves of a shutdown: what runs is stopped, and then what is owned is given back.
    case stop(Int)
    case release(Int)
    case die(Int)
    /// What a dead owner had is taken back.
    case reclaim(Int, by: Int)

    var description: String {
        switch self {
        case .enqueue(let item, let owner): "\(owner) enqueues \(item)"
        case .enqueueAndCancel(let item, let owner): "\(owner) enqueues and cancels \(item)"
        case .cancel(let item, let owner): "\(owner) cancels \(item)"
        case .finish(let item): "\(item) finishes"
        case .look(let owner): "\(owner) looks"
        case .readNews(let owner): "\(owner) reads the news"
        case .pause(let owner): "\(owner) pauses"
        case .resume(let owner): "\(owner) resumes"
        case .stop(let owner): "\(owner) stops"
        case .release(let owner): "\(owner) is released"
        case .die(let owner): "\(owner) dies"
        case .reclaim(let owner, let other): "\(other) reclaims from \(owner)"
        }
    }
}
