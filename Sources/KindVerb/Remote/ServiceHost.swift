/// The host of a service's address, `https://host[:port]`, without its port; an IPv6 address keeps its brackets.
func serviceHost(_ address: String) -> String {
  let authority = address.dropFirst("https://".count).prefix { $0 != "/" }
  if let bracket = authority.lastIndex(of: "]") { return String(authority[...bracket]) }
  return String(authority.prefix { $0 != ":" })
}
