/// What a `Content-Range` says that is not so.
public enum ContentRangeLie: Sendable, Hashable {
    /// Another first byte than the one that is sent first, so many bytes later, or earlier if negative.
    case start(shiftedBy: Int64)
    /// Another size of the whole resource.
    case total(Int64)
    /// Nothing: the header is not there, though the status is 206.
    case missing
}
