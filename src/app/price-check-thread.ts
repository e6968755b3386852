import type { PriceCheck } from '../admin/price-check'
import type { PricePolicy } from '../settings/price-settings'
import type { DatabaseAddress } from '../storage/database-address'
import type { DutyClaim } from '../storage/nodes'
import { startThread } from '../storage/thread'
import type { Actor } from '../trail/trail'
import type { Discovery } from '../vendors/discover'

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

export interface PriceCheckAnswer {
  readonly check: PriceCheck
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
  const thread = startThread(new URL('./price-check-worker.ts', import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<PriceCheck>()
  const timer = setTimeout(() => reject(new Error('the check does not end')), maxMs)
  timer.unref()
  thread.addEventListener('message', ({ data }: MessageEvent<PriceCheckAnswer>) =>
    resolve(data.check),
  )
  thread.addEventListener('error', (event) => {
    event.preventDefault()
    reject(new Error(event.message))
  })
  thread.addEventListener('close', () => reject(new Error('the thread has ended')))
  thread.postMessage(
    { ...order, discovery: { found: keyless, local } } satisfies PriceCheckOrder,
    [],
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.terminate()
  }
}
