public import Foundation

// On Apple's platforms `as` converts between a Swift value, its class of Foundation and its type of Core Foundation. On
// Linux it converts between the first two, so the third is another name of the second.

/// doc: corefoundation/cfstring
public typealias CFString = NSString
/// doc: corefoundation/cfdata
public typealias CFData = NSData
/// doc: corefoundation/cfarray
public typealias CFArray = NSArray
/// doc: corefoundation/cfdictionary
public typealias CFDictionary = NSDictionary
/// doc: corefoundation/cferror
public typealias CFError = NSError
/// doc: corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
/// doc: corefoundation/cftypeid
public typealias CFTypeID = UInt
/// doc: corefoundation/cfallocator: only `nil` is ever passed
public typealias CFAllocator = Never
/// doc: kernel/osstatus
public typealias OSStatus = Int32

/// doc: corefoundation/cfgettypeid(_:): the same for all objects of a class, and different for every other class
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { UInt(bitPattern: ObjectIdentifier(type(of: cf as AnyObject))) }
