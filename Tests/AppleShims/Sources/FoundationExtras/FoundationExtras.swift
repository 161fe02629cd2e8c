// What Apple's Foundation has and Linux's has not. Foundation itself is not exported, FoundationNetworking is: Apple's
// Foundation contains it. FoundationEssentials is exported by nobody else, so that what is declared here stands before it.
@_exported import AppleCoreFoundation
@_exported import FoundationEssentials
@_exported import FoundationNetworking
