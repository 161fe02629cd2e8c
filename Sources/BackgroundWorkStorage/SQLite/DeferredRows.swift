/// Rows that were handed over and are not in the database yet, so that many can be inserted by one statement. They are
/// written before any statement runs that could see them, a commit among them.
protocol DeferredRows: AnyObject {
    func write() throws
    /// After a rollback.
    func discard()
}
