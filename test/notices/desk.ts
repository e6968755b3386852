import type { Caller } from '../../src/domain/caller'
import { systemNoticeId } from '../../src/domain/ids'
import { parseUsd, showUsd, zeroUsd } from '../../src/domain/money'
import type { Ledger } from '../../src/ledger/ledger'
import { openLedger } from '../../src/ledger/open-ledger'
import type { LedgerStore } from '../../src/ledger/store'
import { openWatch } from '../../src/business/notices/threshold-watch'
import type { Storage } from '../../src/business/data/storage'
import { ending, opening, type HandClock } from '../storage/folder'
import { neverMs } from '../support/pace'

export interface DeskOptions {
  readonly floor?: string
  readonly kycCeiling?: string
  readonly serviceDayCapacity?: string
  /** Commits only come by `flush` unless told otherwise. */
  readonly flushMs?: number
  /** Only the log unless told otherwise. */
  readonly channels?: readonly string[]
  /** Stands before the ledger's rows. */
  readonly store?: LedgerStore
}

/** A ledger that is watched, and the notices it wrote. */
interface Desk {
  readonly ledger: Ledger
  /** One call from its hold to the commit of its charge. */
  spend(caller: Caller, usd: string): Promise<void>
  /** A call that is charged later. */
  begin(caller: Caller): Promise<(usd: string) => void>
  /** Every notice so far, oldest first, as `kind threshold amount of limit period`. */
  told(): Promise<readonly string[]>
  /** How often notices were said to be there. */
  readonly woken: { count: number }
}

export function openDesk(storage: Storage, clock: HandClock, options: DeskOptions = {}): Desk {
  const woken = { count: 0 }
  const amount = (usd: string | undefined) => (usd === undefined ? null : parseUsd(usd))
  const ledger = openLedger({
    store: options.store ?? storage.ledger,
    settings: {
      kycCeiling: parseUsd(options.kycCeiling ?? '2'),
      serviceDayCapacity: amount(options.serviceDayCapacity),
      flushMs: options.flushMs ?? 1_000_000,
      pendingAfterMs: neverMs,
    },
    watch: openWatch({
      clock,
      newId: systemNoticeId,
      floor: amount(options.floor),
      channels: options.channels ?? ['log'],
      holders: [],
      onWritten: () => void woken.count++,
    }),
    onFault: (fault) => {
      throw fault
    },
  })
  const begin = async (caller: Caller) => {
    const hold = await ledger.hold({
      caller,
      amount: zeroUsd,
      opening: opening(caller, clock.now()),
    })
    return async (usd: string) => {
      hold.settle(ending(parseUsd(usd)))
      await ledger.flush()
    }
  }
  return {
    ledger,
    woken,
    begin,
    spend: async (caller, usd) => (await begin(caller))(usd),
    told: async () =>
      (await storage.notices.list({ pending: false, most: 1000 }))
        .map(({ notice: { kind, threshold, amount: at, limit, period } }) =>
          `${kind} ${threshold ?? '–'} ${short(at)} of ${short(limit)} ${period}`.trim(),
        )
        .toReversed(),
  }
}

const short = (amount: Parameters<typeof showUsd>[0]): string =>
  showUsd(amount).replace(/\.?0+$/, '')
