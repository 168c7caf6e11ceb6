/// FNV-1a with a final mix: the same in every process, unlike `Hasher`.
func seed(_ text: String) -> UInt64 {
  var hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  hash ^= hash >> 33
  hash &*= 0xff51_afd7_ed55_8ccd
  return hash ^ (hash >> 33)
}

/// Which of `count` phrases a slot takes in draft `iteration` (from 1). Neighbouring drafts differ in every slot; after `count`
/// drafts the slots shift against each other by the length of their names, so that whole letters do not come back soon.
func choice(of count: Int, slot: String, journal: String, iteration: Int) -> Int {
  let start = Int((seed(journal + "|" + slot) >> 20) % UInt64(count))
  let step = iteration - 1
  let drift = count > 1 ? slot.utf8.count % (count - 1) : 0
  return (start + step + step / count * drift) % count
}
