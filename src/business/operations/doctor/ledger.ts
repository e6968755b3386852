import { newestSlackMs, type Ms } from '../../../domain/clock'
import { localTime } from '../../../domain/local-time'
import { showUsd } from '../../../domain/money'
import type { AuditReport } from '../../../ledger/store'
import type { Storage } from '../../data/storage'
import { counted } from '../command'
import { finding, type Finding } from '../finding'

const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')

/** Nothing was made before. */
const earliest = Date.UTC(2026, 0, 1)

/** Whether the clock can be right. */
export async function checkClock({ reports }: Pick<Storage, 'reports'>, now: Ms): Promise<Finding> {
  const found = localTime(now)
  const advice = 'set the clock (timedatectl set-ntp true): days and months of caps hang on it'
  const check = 'clock'
  const facts = { time: found }
  if (now < earliest)
    return fail('clock_past', facts, { check, found: `${found} lies in the past`, advice })
  const newest = await reports.newest()
  if (newest === null || newest - now <= newestSlackMs) return ok('clock', facts, { check, found })
  const later = localTime(newest)
  return fail(
    'clock_behind',
    { ...facts, later },
    { check, found: `${found}, but the newest row is of ${later}`, advice },
  )
}

/** Findings of an audit. */
export function checkLedger({
  ok: sound,
  transfers,
  requests,
  differences,
  spooled,
  spooledCost,
}: AuditReport): readonly Finding[] {
  return [
    sound
      ? ok(
          'ledger',
          { requests, transfers },
          {
            check: 'ledger',
            found: `${counted(requests, 'call')} and ${counted(transfers, 'transfer')} add up`,
          },
        )
      : fail(
          'ledger_differs',
          { count: differences.length, first: differences[0] ?? '' },
          {
            check: 'ledger',
            found: `${differences.length} differences, such as ${differences[0] ?? ''}`,
            advice: 'chapar audit shows all; chapar restore brings a backup back',
          },
        ),
    spooled === 0
      ? ok('spool', {}, { check: 'spool', found: 'every charge is in the database' })
      : warn(
          'spool_waits',
          { count: spooled, usd: showUsd(spooledCost) },
          {
            check: 'spool',
            found: `${spooled} charges of $${showUsd(spooledCost)} are not in the database yet`,
            advice:
              'chapar serve writes them; while it serves they wait for room on the disk, or for a lock',
          },
        ),
  ]
}
