import { dayMs, type Ms } from '../../domain/clock'
import { backupFiles } from '../../storage/files/backups'
import { diskBytesFree, lowDiskBytes } from '../../storage/files/disk-space'
import type { Storage } from '../data/storage'
import { pendingOf } from '../pricing/proposal-decisions'

/** Matters that may wait for an operator's hand. */
export const attentionKinds = [
  'vendors_in_trouble',
  'price_proposals',
  'payments_waiting',
  'payments_not_credited',
  'verifications',
  'disk_low',
  'no_backup',
  'backup_old',
  'untrusted_proxy',
  'public_url_missing',
  'demo',
] as const

/** Something that needs a hand. */
interface Attention {
  readonly kind: (typeof attentionKinds)[number]
  /** How many of it; of what is counted up to a bound, at least so many. */
  readonly count: number
  /** Names of vendors, an address, megabytes that are free, or days. */
  readonly details: readonly string[]
}

interface AttentionParts {
  readonly storage: Pick<
    Storage,
    'folder' | 'vendorStates' | 'prices' | 'cardPayments' | 'verifications'
  >
  readonly now: Ms
  readonly untrustedProxy: string | null
  /** Name by which clients reach the service, where none is configured. */
  readonly unnamedHost: string | null
  readonly isDemo: boolean
}

/** Nobody needs to know how many more there are. */
const maxCounted = 100
const maxBackupDays = 7
const megabyte = 1024 ** 2

/** Everything that needs an operator's hand by now. */
export async function attention(parts: AttentionParts): Promise<readonly Attention[]> {
  const { storage, untrustedProxy, unnamedHost, isDemo } = parts
  const states = await storage.vendorStates.all()
  const inTrouble = [
    ...new Set(states.flatMap(({ vendor, trouble }) => (trouble === null ? [] : [vendor]))),
  ]
  const proposals = pendingOf(await storage.prices.state()).length
  const payments = await storage.cardPayments.list({
    account: null,
    state: 'started',
    before: null,
    max: maxCounted,
  })
  // Paid at their gateway: such as for an account that was closed meanwhile.
  const notCredited = payments.filter(({ code }) => code === 'not_credited')
  const verifications = await storage.verifications.list({
    state: 'submitted',
    before: null,
    max: maxCounted,
  })
  const all: readonly Attention[] = [
    { kind: 'vendors_in_trouble', count: inTrouble.length, details: inTrouble },
    { kind: 'price_proposals', count: proposals, details: [] },
    { kind: 'payments_waiting', count: payments.length, details: [] },
    {
      kind: 'payments_not_credited',
      count: notCredited.length,
      details: notCredited.map(({ id }) => id),
    },
    { kind: 'verifications', count: verifications.length, details: [] },
    ...keptOnDisk(parts),
    {
      kind: 'untrusted_proxy',
      count: untrustedProxy === null ? 0 : 1,
      details: untrustedProxy === null ? [] : [untrustedProxy],
    },
    {
      kind: 'public_url_missing',
      count: unnamedHost === null ? 0 : 1,
      details: unnamedHost === null ? [] : [unnamedHost],
    },
    { kind: 'demo', count: isDemo ? 1 : 0, details: [] },
  ]
  return all.filter(({ count }) => count > 0)
}

/** Matters of the data folder; none where there is no folder. */
function keptOnDisk({ storage: { folder }, now }: AttentionParts): readonly Attention[] {
  if (folder === null) return []
  const free = diskBytesFree(folder)
  const [newest] = backupFiles(folder)
  const days = newest === undefined ? 0 : Math.floor((now - newest.made) / dayMs)
  return [
    {
      kind: 'disk_low',
      count: free < lowDiskBytes ? 1 : 0,
      details: [String(Math.floor(free / megabyte))],
    },
    { kind: 'no_backup', count: newest === undefined ? 1 : 0, details: [] },
    { kind: 'backup_old', count: days > maxBackupDays ? 1 : 0, details: [String(days)] },
  ]
}
