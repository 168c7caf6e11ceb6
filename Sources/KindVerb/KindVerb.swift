// KindVerb
