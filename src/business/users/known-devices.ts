import { deviceKind } from '../../domain/device'
import type { PersonId } from '../../domain/ids'
import { hashOfAnyGeneration, type HashOfAnyGeneration, type Pepper } from '../../domain/pepper'
import type { Visitor } from './sessions'

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
