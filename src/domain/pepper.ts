import { timingSafeEqual } from 'node:crypto'

/** Kinds of hashed secrets that are rehashed when somebody uses them. */
export type RehashedKind = 'key' | 'operator_key' | 'session' | 'operator_session'

/**
 * Hashes of secrets under the installation's key: HMAC-SHA-256, hexadecimal. From the second generation of the key on,
 * a point and the number of the generation follow.
 */
export interface Pepper {
  /** Hash under the generation in use, for what is stored from now on. */
  hash(text: string): string
  /**
   * Hashes under every generation at hand, the oldest first. Rows move from older hashes to newer ones only, so looking
   * them up in this order finds a row that moves meanwhile. A single one unless a rotation is unfinished.
   */
  hashes(text: string): readonly string[]
  /** Has a row rehashed soon if it was found under another hash than that in use. */
  used(kind: RehashedKind, text: string, found: string): void
  /** Hash that no rotation changes, for ids that others keep. */
  lastingHash(text: string): string
}

/**
 * Finds what is stored under the hash of a text, of whichever generation.
 * @param kind what was found is rehashed as; null for what is used once or soon over
 */
export async function findHashed<Found>(
  pepper: Pepper,
  kind: RehashedKind | null,
  text: string,
  find: (hash: string) => Promise<Found | null>,
): Promise<Found | null> {
  for (const hash of pepper.hashes(text)) {
    const found = await find(hash)
    if (found === null) continue
    if (kind !== null) pepper.used(kind, text, hash)
    return found
  }
  return null
}

/** A hash to store, and every hash under which the same may be stored already. */
export interface HashOfAnyGeneration {
  readonly hash: string
  readonly known: readonly string[]
}

export const hashOfAnyGeneration = (pepper: Pepper, text: string): HashOfAnyGeneration => ({
  hash: pepper.hash(text),
  known: pepper.hashes(text),
})

/** Whether a stored hash is one of those, in constant time. */
export function isHashOf(hashes: readonly string[], stored: string): boolean {
  const kept = Buffer.from(stored)
  return hashes.some((hash) => {
    const given = Buffer.from(hash)
    return given.length === kept.length && timingSafeEqual(given, kept)
  })
}
