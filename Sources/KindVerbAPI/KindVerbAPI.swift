// KindVerbAPI
