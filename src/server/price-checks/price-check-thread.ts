import type { PriceCheck } from '../../business/pricing/price-check'
import type { PricePolicy } from '../../gateway/settings/price-settings'
import type { DatabaseAddress } from '../../storage/database-address'
import type { DutyClaim } from '../../business/data/nodes'
import type { Actor } from '../../domain/audit-log'
import type { Discovery } from '../../gateway/vendors/discover'
import { requestThread } from '../process/ask-thread'

/** A check of public prices, for a thread. */
export interface PriceCheckOrder {
  readonly folder: string
  /** Instead of the folder's own. */
  readonly database: DatabaseAddress | null
  /** By which it is checked for all processes of the database; null for who asks for it. */
  readonly claim: DutyClaim | null
  /** Who asked for it. */
  readonly actor: Actor
  /** Addresses and files. */
  readonly sources: readonly string[]
  /** Whether these are all that are set. */
  readonly whole: boolean
  readonly policy: PricePolicy
  /** Keys of vendors stay where they are. */
  readonly discovery: Pick<Discovery, 'found' | 'local'>
  readonly sandbox: boolean
  /** By which the clock of who asks is ahead of this machine's, in milliseconds; nothing unless told. */
  readonly clockAheadMs?: number
}

/** Longer than all sources may take. */
const maxMs = 300_000

/**
 * Checks public prices in a thread with a connection of its own: some megabytes of JSON would hold
 * the event loop.
 * @throws Error where the thread cannot begin, fails or does not end
 */
export async function checkPricesInThread({
  discovery: { found, local },
  ...order
}: PriceCheckOrder): Promise<PriceCheck> {
  const keyless = found.map((vendor) => ({ ...vendor, credential: null }))
  const file = new URL('./price-check-worker.ts', import.meta.url)
  const keylessOrder = { ...order, discovery: { found: keyless, local } } satisfies PriceCheckOrder
  return await requestThread(file, keylessOrder, { what: 'check', maxMs })
}
