/// Instants: milliseconds since 1970 in the store, ISO 8601 with `Z` on the wire.
public enum Instant {
  /// `2026-03-01T07:15:00.250Z`; the fraction is left out when it is zero. The civil calendar by Howard Hinnant's algorithm for
  /// days from and to civil dates, which is exact for every instant that fits.
  public static func text(_ milliseconds: Int64) -> String {
    let (days, rest) = milliseconds.flooringDivision(by: 86_400_000)
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.flooringDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let (second, fraction) = (rest / 1_000, rest % 1_000)
    return String(unsafeUninitializedCapacity: 40) { buffer in
      var end = 0
      func put(_ character: Unicode.Scalar) {
        buffer[end] = UInt8(ascii: character)
        end += 1
      }
      func put(_ number: Int64, digits least: Int) {
        var rest = number.magnitude
        let start = end
        repeat {
          buffer[end] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
          end += 1
        } while rest > 0 || end - start < least
        buffer[start..<end].reverse()
      }
      if year < 0 { put("-") }
      put(year, digits: 4)
      put("-")
      put(month, digits: 2)
      put("-")
      put(day, digits: 2)
      put("T")
      put(second / 3_600, digits: 2)
      put(":")
      put(second / 60 % 60, digits: 2)
      put(":")
      put(second % 60, digits: 2)
      if fraction > 0 {
        put(".")
        put(fraction, digits: 3)
      }
      put("Z")
      return end
    }
  }
}

extension Int64 {
  fileprivate func flooringDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = ((self % divisor) + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}
