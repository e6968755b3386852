import { dayOf, monthOf, systemClock, systemRandom, type Ms } from '../../src/domain/clock'
import { systemIds, type AccountId, type KeyId, type ProjectId } from '../../src/domain/ids'
import { parseUsd, type NanoUsd } from '../../src/domain/money'
import type { CallEnding, CallOpening } from '../../src/domain/record'
import { hashSecret, makeSecret, secretPrefix } from '../../src/gateway/identity/secret'
import type { Batch, Scope } from '../../src/ledger/store'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'

export interface Past {
  readonly keys: number
  /** Owners of the keys, evenly. */
  readonly accounts: number
  /** Calls on record. */
  readonly calls: number
}

interface Customer {
  readonly account: AccountId
  readonly project: ProjectId
  readonly keys: readonly KeyId[]
}

const callsPerCommit = 1000
const price = 450_000 as NanoUsd

/**
 * Gives a data folder customers and a past, through the program's own storage, so that its books
 * add up. @returns secrets of some of the keys
 */
export async function fill(
  folder: string,
  past: Past,
  secretsWanted: number,
): Promise<readonly string[]> {
  const storage = openStorage({ folder, exclusive: true, clock: systemClock })
  try {
    const secrets: string[] = []
    const { accounts } = past
    const perAccount = Math.max(1, Math.ceil(secretsWanted / accounts))
    const customers: Customer[] = []
    for (let at = 0; at < accounts; at++)
      customers.push(
        await addCustomer(storage, Math.ceil((past.keys - at) / accounts), (secret, place) => {
          if (place < perAccount && secrets.length < secretsWanted) secrets.push(secret)
        }),
      )
    for (let done = 0; done < past.calls; done += callsPerCommit) {
      const count = Math.min(callsPerCommit, past.calls - done)
      await storage.ledger.commit(batch(customers, done, count, past.calls), false)
    }
    const { ok, differences } = await storage.audit()
    if (!ok)
      throw new Error(`the made-up past does not add up: ${differences.slice(0, 3).join('; ')}`)
    return secrets
  } finally {
    await storage.close()
  }
}

async function addCustomer(
  { directory, pepper }: Storage,
  keys: number,
  made: (secret: string, place: number) => void,
): Promise<Customer> {
  const rate = { concurrency: 100_000, requestsPerMinute: 100_000_000 }
  const account = (await directory.createAccount({ name: 'past', verified: true, ...rate })).id
  const reference = `past-${account}`
  await directory.deposit({ account, amount: parseUsd('10000'), kind: 'topup', reference })
  const project = (await directory.createProject({ account, name: 'past' })).id
  const ids: KeyId[] = []
  for (let place = 0; place < keys; place++) {
    const secret = makeSecret('sk-chapar-v1-')
    made(secret, place)
    const prefix = secretPrefix(secret)
    const key = { project, name: 'past', prefix, requestsPerMinute: 100_000_000 }
    ids.push((await directory.createKey(key, hashSecret(secret, pepper))).id)
  }
  return { account, project, keys: ids }
}

/** How far back the calls go. */
const pastMs = 90 * 86_400_000

/** Calls from `from` on, oldest first. */
function batch(customers: readonly Customer[], from: number, count: number, all: number): Batch {
  const now = systemClock.now()
  const spent: { scope: Scope; amount: NanoUsd }[] = []
  const ended = Array.from({ length: count }, (_, at) => {
    const customer = customers[Math.floor(systemRandom() * customers.length)]
    const key = customer?.keys[(from + at) % customer.keys.length]
    if (customer === undefined || key === undefined) throw new Error('nobody to call')
    const { account, project } = customer
    const created = Math.floor(now - pastMs * (1 - (from + at) / all)) as Ms
    const day = dayOf(created)
    const scopes: readonly Scope[] = [
      { kind: 'key', id: key, period: '' },
      { kind: 'project-month', id: project, period: monthOf(created) },
      { kind: 'account', id: account, period: '' },
      { kind: 'account-day', id: account, period: day },
      { kind: 'service-day', id: 0, period: day },
    ]
    for (const scope of scopes) spent.push({ scope, amount: price })
    const id = systemIds.request()
    const opening: CallOpening = { ...call, id, account, project, key, created }
    return { opening, ending, held: price, wasOpened: false }
  })
  return { opened: [], ended, spent }
}

const call = {
  endpoint: 'chat',
  model: 'bench-model',
  streamed: false,
  address: '127.0.0.1',
  cardVersion: '1',
} as const satisfies Partial<CallOpening>

const ending: CallEnding = {
  status: 'success',
  usage: { units: { input: 100, output: 50 }, reasoning: 0, estimated: false },
  cost: price,
  vendor: 'standin',
  vendorModel: 'bench-model',
  error: null,
  latencyMs: 900,
  firstByteMs: 300,
}
