/**
 * How many of `places` one owner may hold while others may come: two thirds, rounded down, but never none of them. Places
 * are not taken back, and a call may keep one for an hour. So whatever one owner holds, at least half as many places are
 * left as another could hold if it were alone. A single place cannot be shared.
 */
export function fairShare(places: number): number {
  return places < 2 ? places : Math.max(1, Math.floor((places * 2) / 3));
}
