import type { EndingSpool } from '../ledger/ending-spool'
import {
  openLeasedLedger,
  type LeasedLedger,
  type LeasedLedgerParts,
} from '../ledger/leased/leased-ledger'
import { usualRules } from '../ledger/leased/node-slices'
import { openFrontDoor, type FrontDoorParts } from './front-door'

export interface FrontParts
  extends FrontDoorParts, Pick<LeasedLedgerParts, 'settings' | 'now' | 'onFault' | 'onMiscount'> {
  /** How often it says that it lives; much less than its owner's patience. */
  readonly beatMs: number
  /** @param database identity of the database that it belongs to */
  openSpool(folder: string, database: string): EndingSpool
  /** What is kept in memory of accounts, keys and settings is old. */
  onChanged(): void
  /** The owner is gone: nothing that is held here counts any more, and the process must end. */
  onGone(): void
}

/** The money of a process that serves for an owner. */
export interface Front {
  readonly ledger: LeasedLedger
  /** Writes everything, gives everything back, and leaves. */
  close(): Promise<void>
}

/** @throws Error when no owner listens there */
export async function openFront(parts: FrontParts): Promise<Front> {
  const { settings, now, onFault, onMiscount, beatMs, openSpool, onChanged, onGone } = parts
  const door = await openFrontDoor(parts)
  const { node, engine, database, spoolFolders } = door
  const [first, second] = spoolFolders
  const ledger = openLeasedLedger({
    node,
    engine,
    spools: [openSpool(first, database), openSpool(second, database)],
    settings,
    // Whether it lives is seen by its socket.
    rules: { ...usualRules, ttlMs: Number.POSITIVE_INFINITY },
    beatMs,
    now,
    onFault,
    ...(onMiscount === undefined ? {} : { onMiscount }),
  })
  let leaving = false
  door.onQuestion((scope, no) => ledger.hint(scope, no))
  door.onChanged(() => {
    ledger.refresh()
    onChanged()
  })
  const watch = async () => {
    await door.closed
    ledger.fence()
    if (!leaving) onGone()
  }
  void watch()
  return {
    ledger,
    async close() {
      leaving = true
      await ledger.close()
      door.close()
      await door.closed
    },
  }
}
