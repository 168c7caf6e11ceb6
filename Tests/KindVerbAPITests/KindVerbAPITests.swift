import Testing

@testable import KindVerbAPI
