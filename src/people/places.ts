import type { PersonId } from '../domain/ids'
import { hashOfAnyGeneration, type HashOfAnyGeneration, type Pepper } from '../domain/pepper'
import type { Visitor } from './sessions'

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

const named = (agent: string, table: readonly (readonly [string, string])[]): string | null =>
  table.find(([mark]) => agent.includes(mark))?.[1] ?? null

/** `Firefox · Linux`: the kind of device, whatever its version; '' where an agent says neither. */
export const deviceKind = (agent: string): string =>
  [named(agent, browsers), named(agent, systems)].filter(Boolean).join(' · ')

/** Prefix that stays while a provider hands out other addresses: an IPv4 /16, an IPv6 /32. */
const networkOf = (address: string): string => {
  const separator = address.includes(':') ? ':' : '.'
  return address.split(separator).slice(0, 2).join(separator)
}

/** A place as it is kept: nothing of it can be read back. */
export const placeHash = (
  person: PersonId,
  { address, agent }: Visitor,
  pepper: Pepper,
): HashOfAnyGeneration =>
  hashOfAnyGeneration(pepper, `place:${person}:${networkOf(address)}:${deviceKind(agent)}`)
