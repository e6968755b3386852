/** The thread that talks to the database for one that waits. */
import type { ReservedSQL } from 'bun'
import { serialize } from 'bun:jsc'
import { endSelf } from '../worker-thread'
import { leavesConnection } from './connect'
import { SingleSession } from './single-session'
import type {
  SharedAnswer,
  StatementAnswer,
  StatementOrder,
  StatementResult,
} from './blocking-statement'

declare const self: Worker

let session: SingleSession | null = null
/** In use: a transaction must not go on in another connection when this one is lost. */
let connection: ReservedSQL | null = null
/** What was set for the connection: the next one has it too. */
let setting: string | null = null
let shared: SharedAnswer | null = null
let idleMs: number | null = null
let idling: ReturnType<typeof setTimeout> | null = null
let last: Uint8Array = new Uint8Array()

/** Types of columns whose values need care, by PostgreSQL's numbers of them. */
const types = { numeric: 1700 } as const

async function connected(): Promise<ReservedSQL> {
  if (connection !== null) return connection
  const reserved = await session?.connection()
  if (reserved === undefined) throw new Error('a statement before the beginning')
  if (setting !== null) await reserved.unsafe(setting)
  return (connection = reserved)
}

async function ask(text: string, values: readonly unknown[]): Promise<StatementResult> {
  if (text.startsWith('SET ')) setting = text
  const found = (await (await connected()).unsafe(text, [...values]).values()) as unknown[][] & {
    readonly count: number
    readonly columns?: readonly { readonly name: string; readonly type: number }[]
  }
  const columns = found.columns ?? []
  const rows = found.map((row) => row.map((value, at) => plain(value, columns[at]?.type)))
  return { columns: columns.map(({ name }) => name), rows, changes: found.count ?? 0 }
}

async function script(text: string): Promise<StatementResult> {
  await (await connected()).unsafe(text).simple()
  return { columns: [], rows: [], changes: 0 }
}

/** Value as SQLite has it, integers as `bigint`. */
function plain(value: unknown, type: number | undefined): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'string' && type === types.numeric)
    return /^-?\d+$/.test(value) ? BigInt(value) : Number(value)
  return value instanceof Uint8Array ? new Uint8Array(value) : value
}

function faultOf(thrown: unknown): StatementAnswer {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (leavesConnection(thrown)) return { fault: { code: String(thrown.errno), message } }
  drop()
  return { fault: { code: 'away', message } }
}

function drop(): void {
  if (connection !== null) session?.drop(connection)
  connection = null
}

/** Whoever reads seldom keeps none of the server's connections; a transaction never lasts so long. */
function giveBackLater(): void {
  if (idleMs === null) return
  idling = setTimeout(drop, idleMs)
  idling.unref()
}

async function answer(work: () => Promise<StatementResult>): Promise<void> {
  if (idling !== null) clearTimeout(idling)
  let said: StatementAnswer
  try {
    said = { result: await work() }
  } catch (thrown) {
    said = faultOf(thrown)
  }
  last = new Uint8Array(serialize(said))
  giveBackLater()
  tell()
}

function tell(): void {
  if (shared === null) return
  const { state, bytes } = shared
  if (last.length <= bytes.length) bytes.set(last)
  state[1] = last.length
  Atomics.store(state, 0, 1)
  Atomics.notify(state, 0)
}

self.addEventListener('message', ({ data }: MessageEvent<StatementOrder>) => {
  if (data.order === 'begin') {
    const { address, name, statementTimeoutMs, lock } = data
    shared = data.shared
    idleMs = data.idleMs
    setting = data.setting
    const patienceMs = statementTimeoutMs
    session = new SingleSession({ address, name, statementTimeoutMs, patienceMs, lock })
  } else if (data.order === 'ask') void answer(() => ask(data.text, data.values))
  else if (data.order === 'script') void answer(() => script(data.text))
  else if (data.order === 'again') {
    shared = data.shared
    tell()
  } else void Promise.resolve(session?.close()).then(() => endSelf(data, () => {}))
})
