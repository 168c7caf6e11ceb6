import Testing

@testable import KindVerb
