import type { AddressCount } from './address-slots'
import type { AddressNews } from './limits'

/** What one message may hold: those that carry them, notices of a database, have less than 8000 bytes. */
const maxBytes = 7000
/** Of each kind, those that were counted most: a crowd of addresses is no reason to flood the others. */
const maxReported = 2000
const maxBusy = 100

/** News as short messages, each of which can be heard alone; the first one has what is in progress. */
export function addressMessages({ requests, attempts, busy }: AddressNews): readonly string[] {
  const messages: string[] = []
  const say = (news: AddressNews) => void messages.push(JSON.stringify(news))
  if (busy !== null) say({ requests: [], attempts: [], busy: mostCounted(busy, maxBusy) })
  for (const part of partsOf(mostCounted(requests, maxReported)))
    say({ requests: part, attempts: [], busy: null })
  for (const part of partsOf(mostCounted(attempts, maxReported)))
    say({ requests: [], attempts: part, busy: null })
  return messages
}

/** @throws SyntaxError where it is no message of `addressMessages` */
export const readAddressMessage = (message: string): AddressNews =>
  JSON.parse(message) as AddressNews

const mostCounted = (counts: readonly AddressCount[], max: number): readonly AddressCount[] =>
  counts.length <= max ? counts : counts.toSorted(([, a], [, b]) => b - a).slice(0, max)

function* partsOf(counts: readonly AddressCount[]): Generator<readonly AddressCount[]> {
  let part: AddressCount[] = []
  let bytes = 0
  for (const each of counts) {
    const size = JSON.stringify(each).length + 1
    if (bytes + size > maxBytes) {
      yield part
      part = []
      bytes = 0
    }
    part.push(each)
    bytes += size
  }
  if (part.length > 0) yield part
}
