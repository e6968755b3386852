/** The thread in which stores run on PostgreSQL, standing still while it answers. */
import { deserialize } from 'bun:jsc'
import type { Ms } from '../../../domain/clock'
import { ReadRefused } from '../../../domain/reports/account-reader'
import { openAccountReader } from '../../accounts/account-query'
import { openSharedKeyFile } from '../../../storage/files/key-file'
import { databaseId } from '../../../storage/sqlite/database-id'
import { openOperatorReader } from '../../usage/operator-reader'
import { openReadDeadline } from '../../../storage/sqlite/read-deadline'
import { readMark } from '../secrets/rotation-state'
import { checkSecrets } from '../secrets/secret-check'
import { storesOn } from '../sqlite/stores'
import { endSelf } from '../../../storage/worker-thread'
import { DatabaseFault } from '../../../storage/postgres/database-fault'
import { sharedAnswer } from '../../../storage/postgres/blocking-statement'
import {
  CallbackThrown,
  faultMessage,
  type Argument,
  type CallbackResult,
  type Shape,
  type Shapes,
  type StoreAnswer,
  type StoreOrder,
  type StoreParts,
  type StorePlace,
} from './store-protocol'
import { underClaim, type DutyClaim } from '../../../ledger/postgres/duty-fencing'
import { otherNodes } from '../secrets/node-secrets'
import { exchangedSums } from '../../../ledger/postgres/exchanged-sums'
import { SessionTurns } from '../../../storage/postgres/session-turns'
import { unsummed } from '../../../ledger/postgres/unaggregated'
import { connectPostgres } from '../../../storage/postgres/blocking-connection'

declare const self: Worker

type Method = (...args: readonly unknown[]) => unknown
type Store = Readonly<Record<string, Method>>

/** Pages read by people: whoever reads longer keeps others waiting. */
const maxPageMs = 2000
const pages = new Set(['accountReader', 'operatorReader'])

const callbackBytes = 1 << 20
const shared = sharedAnswer(callbackBytes)
/** By the clock of who asked last. */
let now = 0
let opened: ReturnType<typeof open> | null = null
const streams = new Map<number, AsyncIterator<unknown>>()

const say = (answer: StoreAnswer): void => postMessage(answer)

function open(parts: StoreParts) {
  const { address, name, folder, actor, statementTimeoutMs, isExchanged, idleMs, lock } = parts
  const turns = parts.turns === null ? null : new SessionTurns(parts.turns, 'stores')
  const connection = connectPostgres({ address, name, statementTimeoutMs, idleMs, lock, turns })
  const keys = openSharedKeyFile(folder)
  checkSecrets(connection, keys.current(), { folder, isShared: true })
  const clock = { now: () => now as Ms }
  const alone = {
    endings: null,
    former: null,
    ...(isExchanged ? { sums: exchangedSums, unsummed } : {}),
  }
  const stores = storesOn(connection, {
    folder,
    keys,
    // Secrets are looked up in the thread that asks.
    onOldHash() {},
    nodes: otherNodes,
    clock,
    actor,
    ...alone,
  })
  const deadline = openReadDeadline(connection)
  const storage = {
    ...stores,
    accountReader: openAccountReader(connection, deadline),
    operatorReader: openOperatorReader(connection, deadline),
  }
  let timeoutMs = statementTimeoutMs
  return {
    databaseId: databaseId(connection),
    mark: readMark(connection),
    storage,
    close: () => connection.close(),
    under: (claim: DutyClaim, work: () => unknown) => underClaim(connection, claim, work),
    /** How long each statement may last from now on. */
    limit(ms: number) {
      deadline.begin(ms)
      if (ms === timeoutMs) return
      connection.raw.run(`SET statement_timeout = ${ms}`)
      timeoutMs = ms
    },
    usualMs: statementTimeoutMs,
  }
}

const methodsOf = (store: object): readonly string[] =>
  Object.entries(store).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))

/** What lives in the thread that asks, or cannot wait. */
const notStores = new Set(['vault', 'pepper', 'by', 'untold', 'places', 'countDaysIn', 'version'])

const shapeOf = (stores: object): Shape => {
  const shape: Record<string, readonly string[]> = {
    '': methodsOf(stores).filter((name) => !notStores.has(name)),
  }
  for (const [name, store] of Object.entries(stores) as [string, unknown][])
    if (typeof store === 'object' && store !== null && !notStores.has(name))
      shape[name] = methodsOf(store)
  return shape
}

function shapesOf({ storage }: ReturnType<typeof open>): Shapes {
  return {
    storage: shapeOf(storage),
    changes: shapeOf(storage.by('service')),
    untold: methodsOf(storage.untold({ operators: [], holders: [] })),
    places: methodsOf(storage.places([])),
  }
}

function methodAt({ storage }: ReturnType<typeof open>, place: StorePlace): Method {
  const { made, store, method } = place
  const root: object =
    made === null
      ? storage
      : (storage[made.by] as (...args: readonly unknown[]) => object)(...made.args)
  const holder = (store === '' ? root : (root as Record<string, unknown>)[store]) as Store
  const found = holder[method]
  if (found === undefined) throw new Error(`no ${store}.${method}`)
  return found.bind(holder)
}

/** Calls the function that was given, where it was given; stands still until it answers. */
const callback =
  (id: number, number: number) =>
  (...args: readonly unknown[]): unknown => {
    Atomics.store(shared.state, 0, 0)
    say({ id, callback: number, args, shared })
    Atomics.wait(shared.state, 0, 0)
    const length = shared.state[1] ?? 0
    const result = deserialize(shared.bytes.slice(0, length).buffer) as CallbackResult
    if ('thrown' in result) throw new CallbackThrown(result.thrown)
    return result.value
  }

async function call(order: Extract<StoreOrder, { order: 'call' }>): Promise<void> {
  const { id, place, args, claim } = order
  const isPage = pages.has(place.store)
  try {
    if (opened === null) throw new Error('a call before the beginning')
    opened.limit(isPage ? maxPageMs : opened.usualMs)
    const method = methodAt(opened, place)
    const given = args.map((each: Argument) =>
      'plain' in each ? each.plain : callback(id, each.callback),
    )
    const result = claim === null ? method(...given) : opened.under(claim, () => method(...given))
    if (isStream(result)) {
      streams.set(id, result[Symbol.asyncIterator]())
      return say({ id, value: null })
    }
    say({ id, value: await result })
  } catch (thrown) {
    const isLate = isPage && thrown instanceof DatabaseFault && thrown.code === queryCancelled
    say({ id, fault: faultMessage(isLate ? new ReadRefused('too_long') : thrown) })
  }
}

const queryCancelled = '57014'

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

async function pull({ id, max }: Extract<StoreOrder, { order: 'pull' }>): Promise<void> {
  const stream = streams.get(id)
  const items: unknown[] = []
  try {
    let isOver = stream === undefined || max === 0
    while (!isOver && items.length < max) {
      const next = await stream?.next()
      if (next === undefined || next.done === true) isOver = true
      else items.push(next.value)
    }
    if (isOver) streams.delete(id)
    say({ id, items, isOver })
  } catch (thrown) {
    streams.delete(id)
    say({ id, fault: faultMessage(thrown) })
  }
}

function begin(parts: StoreParts): void {
  try {
    opened = open(parts)
    say({ ready: shapesOf(opened), databaseId: opened.databaseId, mark: opened.mark })
  } catch (thrown) {
    say({ unready: faultMessage(thrown) })
  }
}

self.addEventListener('message', ({ data }: MessageEvent<StoreOrder>) => {
  if ('now' in data) now = Math.max(now, data.now)
  if (data.order === 'begin') begin(data.parts)
  else if (data.order === 'call') void call(data)
  else if (data.order === 'pull') void pull(data)
  else if (data.order === 'zone') opened?.storage.countDaysIn(data.zone)
  else endSelf(data, () => opened?.close())
})
