test:
	swift build --build-tests && swift test
