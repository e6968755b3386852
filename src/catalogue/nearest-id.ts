import type { Offer } from './catalogue'

/** Longer ids are no slips of somebody who types. */
const maxIdLength = 64
/** Letters that may be wrong, missing or too many. */
const maxWrong = 3

/** The id on sale that is written most like another one; null where none is near. */
export function nearestId(id: string, offers: readonly Offer[]): string | null {
  if (id.length > maxIdLength) return null
  const asked = plain(id)
  let nearest: string | null = null
  // A short id is soon like any other.
  let fewest = Math.min(maxWrong, Math.floor(asked.length / 4)) + 1
  for (const { model } of offers) {
    const sold = plain(model.id)
    if (Math.abs(sold.length - asked.length) >= fewest) continue
    const wrong = distance(asked, sold, fewest)
    if (wrong >= fewest) continue
    fewest = wrong
    nearest = model.id
  }
  return nearest
}

/** As it is heard: without case, and without what parts its words. */
const plain = (id: string): string => id.toLowerCase().replace(/[\s._:/-]+/g, '')

/** Letters to change, add or leave out (Levenshtein). @param most no more of them are counted */
function distance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const here = Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next.push(here)
      least = Math.min(least, here)
    }
    if (least >= most) return most
    row = next
  }
  return row[b.length] ?? 0
}
