import Testing

@testable import Letters
