// What Apple's Foundation has and Linux's has not. Foundation itself is not exported, FoundationNetworking is: Apple's
// Foundation contains it.
@_exported import AppleCoreFoundation
@_exported import FoundationNetworking
