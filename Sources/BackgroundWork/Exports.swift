// The names that users meet are spread over the modules below; one import shows them all.
@_exported import BackgroundWorkFiles
@_exported import BackgroundWorkModel
@_exported import BackgroundWorkTransfers
