import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account, Caller, Key, Project } from '../../src/domain/caller'
import type { Clock, Monotonic, Ms, Ticks } from '../../src/domain/clock'
import type { AccountId, RequestId } from '../../src/domain/ids'
import { nanoUsd, parseUsd, type NanoUsd } from '../../src/domain/money'
import type { CallEnding, CallOpening } from '../../src/domain/record'
import { noUsage } from '../../src/domain/usage'
import type { Ledger } from '../../src/ledger/ledger'
import { openLedger } from '../../src/ledger/open-ledger'
import type { Batch, Scope, SumScope } from '../../src/ledger/store'
import { connect } from '../../src/storage/sqlite/connect'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'
import { neverMs } from '../support/pace'

/** A clock that stands still until it is set; time passes with it. */
export interface HandClock extends Clock, Monotonic {
  set(time: number | string): void
  /** Sets the wall clock alone: no time passes. */
  jump(ms: number): void
}

export function handClock(start = '2026-11-20T12:00:00Z'): HandClock {
  let now = Date.parse(start)
  let jumpedMs = 0
  return {
    now: () => now as Ms,
    ticks: () => (now - jumpedMs) as Ticks,
    set: (time) => void (now = typeof time === 'number' ? time : Date.parse(time)),
    jump(ms) {
      now += ms
      jumpedMs += ms
    },
  }
}

/** A data folder of a test's own; gone when the test is over. */
export interface TestFolder extends Disposable {
  readonly path: string
  readonly clock: HandClock
  /** Opens storage on it, brought up to this program unless told; whatever is still open at the end is closed. */
  open(exclusive?: boolean, mayMigrate?: boolean): Storage
  /** The database behind everybody's back. */
  raw(): Database
}

export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'chapar-test-'))
  const clock = handClock()
  const closers: (() => Promise<void>)[] = []
  return {
    path,
    clock,
    open(exclusive = false, mayMigrate = true) {
      const storage = openStorage({ folder: path, exclusive, mayMigrate, clock })
      closers.push(storage.close)
      return storage
    },
    raw() {
      const { raw, close } = connect(join(path, 'chapar.db'))
      closers.push(async () => close())
      return raw
    },
    async [Symbol.dispose]() {
      for (const close of closers) await close()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** A ledger that writes nothing by itself: as a process that may die before it does. */
export const ledgerOf = ({ ledger: store, endings: spool }: Storage): Ledger =>
  openLedger({
    store,
    spool,
    settings: {
      kycCeiling: nanoUsd(2_000_000_000),
      serviceDayCapacity: null,
      flushMs: neverMs,
      pendingAfterMs: neverMs,
    },
    onFault: (fault) => {
      throw fault
    },
  })

export const memoryStorage = (clock: Clock = handClock()): Storage =>
  openStorage({ folder: null, exclusive: true, clock })

export interface CustomerOptions {
  readonly usd?: string
  readonly account?: Partial<Omit<Account, 'id'>>
  readonly project?: Partial<Omit<Project, 'id' | 'account'>>
  readonly key?: Partial<Omit<Key, 'id' | 'project' | 'prefix'>>
}

/** An account with a project and a key, verified unless said otherwise. */
export async function customer(
  { directory }: Storage,
  options: CustomerOptions = {},
): Promise<Caller> {
  const account = await directory.createAccount({
    name: 'customer',
    verified: true,
    ...options.account,
  })
  const project = await directory.createProject({
    account: account.id,
    name: 'main',
    ...options.project,
  })
  const made = { project: project.id, name: 'key', prefix: 'sk-test' }
  const key = await directory.createKey({ ...made, ...options.key }, `hash-${account.id}`)
  if (options.usd !== undefined)
    await directory.deposit({
      account: account.id,
      amount: parseUsd(options.usd),
      kind: 'topup',
      reference: `first-${account.id}`,
    })
  return { account, project, key }
}

let lastCall = 0

/** A call about to begin. Ids grow. */
export function opening(caller: Caller, created: Ms, id?: string): CallOpening {
  return {
    id: (id ?? `req_${String(++lastCall).padStart(8, '0')}`) as RequestId,
    account: caller.account.id,
    project: caller.project.id,
    key: caller.key.id,
    endpoint: 'chat',
    model: 'test/model',
    streamed: false,
    address: '127.0.0.1',
    created,
    cardVersion: '1',
  }
}

export const ending = (cost: NanoUsd, change: Partial<CallEnding> = {}): CallEnding => ({
  status: cost > 0 ? 'success' : 'error',
  usage: noUsage,
  cost,
  vendor: 'test',
  vendorModel: 'model',
  error: null,
  latencyMs: 10,
  firstByteMs: 5,
  ...change,
})

/** The batch of one call that began and ended between two commits. */
export const charge = (open: CallOpening, cost: number, wasOpened = false): Batch => ({
  opened: [],
  ended: [{ opening: open, ending: ending(nanoUsd(cost)), held: nanoUsd(cost), wasOpened }],
  spent:
    cost === 0
      ? []
      : [
          { scope: { kind: 'key', id: open.key, period: '' }, amount: nanoUsd(cost) },
          {
            scope: { kind: 'project-month', id: open.project, period: monthOf(open) },
            amount: nanoUsd(cost),
          },
          { scope: { kind: 'account', id: open.account, period: '' }, amount: nanoUsd(cost) },
          {
            scope: { kind: 'account-day', id: open.account, period: dayOf(open) },
            amount: nanoUsd(cost),
          },
          { scope: { kind: 'service-day', id: 0, period: dayOf(open) }, amount: nanoUsd(cost) },
        ],
})

/** What an account has, as it is committed. */
export const balanceIn = (storage: Pick<Storage, 'ledger'>, id: AccountId): Promise<NanoUsd> =>
  sumIn(storage, { kind: 'balance', id, period: '' })

/** What is counted in a scope, as it is committed. */
export const spentIn = (storage: Pick<Storage, 'ledger'>, scope: Scope): Promise<NanoUsd> =>
  sumIn(storage, scope)

async function sumIn(
  { ledger }: { readonly ledger: Pick<Storage['ledger'], 'sums'> },
  scope: SumScope,
): Promise<NanoUsd> {
  const [sum] = await ledger.sums([scope])
  if (sum === undefined) throw new Error('no sum')
  return sum
}

export const noBatch: Batch = { opened: [], ended: [], spent: [] }

const dayOf = ({ created }: CallOpening): string => new Date(created).toISOString().slice(0, 10)
const monthOf = ({ created }: CallOpening): string => new Date(created).toISOString().slice(0, 7)
