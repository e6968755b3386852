import type { Offer } from '../../catalogue/catalogue'
import type { Editable } from '../../../domain/mutable'
import type { Meter, Units } from '../../../domain/usage'
import type { Fields } from '../../json/fields'
import type { TextCall } from './client-format'
import type { TextBeside } from './text-estimate'

/** The earlier answer, which is paid again, and the tools that the vendor runs. */
export function besideOf<Raw extends Fields>(call: TextCall<Raw>, offer: Offer): TextBeside {
  const { format } = call
  const writes = format.writesCache?.(call.text)
  const tools = format.vendorTools?.(call.raw, priced(offer))
  const beside: Editable<TextBeside> = { earlierTokens: call.earlier?.tokens ?? 0 }
  if (writes !== null && writes !== undefined) beside.writes = writes
  const compactsFrom = format.compactsFrom?.(call.raw) ?? null
  if (compactsFrom !== null) beside.compactsFrom = compactsFrom
  if (tools !== undefined) beside.tools = noMoreThan(maxToolCalls, tools)
  return beside
}

const priced =
  ({ rates }: Offer) =>
  (meter: Meter): boolean =>
    rates.base[meter] !== undefined

/** Calls of one tool that money is held for, whatever a client allows. */
const maxToolCalls = 1000

const noMoreThan = (most: number, units: Units): Units =>
  Object.fromEntries(
    Object.entries(units).map(([meter, count = 0]) => [meter, Math.min(count, most)]),
  )
