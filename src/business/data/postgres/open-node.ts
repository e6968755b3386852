import type { SQL } from 'bun'
import type { DayIn } from '../../../domain/zone-days'
import type { EndingSpool } from '../../../ledger/ending-spool'
import type { Engine } from '../../../ledger/leased/exchange'
import type { NodeId } from '../../../domain/ids'
import type { ReachedCap } from '../../../domain/notice'
import type { DatabaseAddress } from '../../../storage/database-address'
import { Duties } from '../../../ledger/postgres/duties'
import type { DutyClaim } from '../../../ledger/postgres/duty-fencing'
import { openPostgresEngine } from '../../../ledger/postgres/exchange'
import { exchangeSettings } from '../../../ledger/postgres/exchange-sql'
import type { Listening } from '../../../storage/postgres/listening'
import { listenAsNode } from '../../../ledger/postgres/node-listening'
import type { NodeNotes, ReportedChannel } from '../../../ledger/postgres/node-events'
import { openNodeSecrets } from '../secrets/node-secrets'
import { openNodeSpools } from '../../../ledger/postgres/node-spools'
import type { NodeTimes } from '../../../storage/postgres/node-times'
import {
  countNodes,
  leaveNode,
  listNodes,
  nameNode,
  registerNode,
  type NodeLife,
  type NodeRow,
} from '../../../ledger/postgres/nodes'
import { reachable } from '../../../storage/postgres/reachable'
import { reachedCaps, type ServiceCaps } from '../../../ledger/postgres/reached-caps'
import { statement } from '../../../storage/postgres/retry'
import { PatientLine } from '../../../storage/postgres/connection-with-deadline'
import { SessionTurns, type TurnMemory } from '../../../storage/postgres/session-turns'
import { openSumWriter } from '../../../ledger/postgres/aggregate'
import { replaySpools, type Replayed } from '../../../ledger/postgres/replay-spools'
import { takeOver } from '../../../ledger/postgres/takeover'

interface NodeParts {
  readonly address: DatabaseAddress
  /** Where this machine keeps its spools; nobody else's. Null keeps none. */
  readonly folder: string | null
  /** Identity of the database. */
  readonly database: string
  readonly times: NodeTimes
  /** Of the stores of this process, with which its chores take turns. */
  readonly turns: TurnMemory
  readonly version: string
  readonly zoneDay: DayIn
  /** What this process knows of the keys by now, as `node-secrets.ts` writes it. */
  secrets(): string
  /** Names of what one node does for all. */
  readonly duties: readonly string[]
  readonly notes: NodeNotes
}

/** One life of this process on a database that it shares. */
export interface ClusterNode {
  readonly id: NodeId
  readonly engine: Engine
  readonly spools: readonly [EndingSpool, EndingSpool] | null
  readonly recovered: Replayed
  /** Since the last exchange that was answered. */
  silentMs(): number
  /** Nodes that serve, this one included, when they were counted last. */
  living(): number
  /** Whether this node does it for all. */
  hasDuty(name: string): boolean
  /** By which it does it; null where it does not. */
  claimOf(duty: string): DutyClaim | null
  /** Where it serves. */
  name(address: string): Promise<void>
  list(): Promise<readonly NodeRow[]>
  /**
   * Tells the others, who hear it at most once, and messages that are told together one after the other.
   * @param messages of less than 7900 bytes each
   */
  tellOthers(channel: ReportedChannel, messages: readonly string[]): Promise<void>
  /** What is worth telling of those accounts, and of the service. */
  reachedCaps(accounts: readonly number[], caps: ServiceCaps): Promise<readonly ReachedCap[]>
  /** Writes the sums of everything that is settled. */
  sumUp(): Promise<void>
  /** Everything was given back: nobody needs to take it over. */
  leave(): Promise<void>
  /** Lets go of the database as it is: as a process that dies. */
  close(): Promise<void>
}

/** An exchange that takes longer is asked for again on another connection; its number keeps it single. */
const exchangeShare = 0.3
/** Sums of a long outage, or of a takeover, may take a while. */
const choresMs = 60_000
/** Spools of a machine that was cut off for long hold many calls. */
const replayMs = 600_000

/**
 * Two connections: one for exchanges, and one for chores, which take turns with the stores: a node keeps two backends
 * of the server busy at most, but for pages that people read. Notices of the database have a third connection.
 */
export async function openNode(parts: NodeParts): Promise<ClusterNode> {
  const { address, folder, database, times, version, zoneDay } = parts
  const patienceMs = exchangeShare * times.ttlMs
  const exchanging = { ...address, settings: { ...exchangeSettings, ...address.settings } }
  const line = new PatientLine({ address: exchanging, name: 'chapar exchanges', patienceMs })
  const turns = new SessionTurns(parts.turns, 'chores')
  const chores = new PatientLine({ address, name: 'chapar node', patienceMs: choresMs, turns })
  const spools = folder === null ? null : openNodeSpools(folder, database, parts.notes.spoolDamaged)
  try {
    const left = spools?.left() ?? []
    const recovered =
      left.length === 0
        ? { calls: 0, short: 0, rejected: [] }
        : await chores.ask((sql) => replaySpools(sql, left, zoneDay), replayMs)
    spools?.remove()
    const secrets = parts.secrets()
    const life = await reachable(address, () =>
      chores.ask((sql) => registerNode(sql, { ttlMs: times.ttlMs, version, address: '', secrets })),
    )
    // Before anything is dated by it.
    parts.notes.clockRead((await chores.ask(countNodes)).clock)
    const opened = {
      line,
      chores,
      recovered,
      spools: spools?.open(life.id) ?? null,
      closeSpools: () => spools?.close(),
    }
    return new ServingNode(life, parts, opened)
  } catch (thrown) {
    spools?.close()
    await Promise.all([line.close(), chores.close()])
    throw thrown
  }
}

interface Opened {
  readonly line: PatientLine
  readonly chores: PatientLine
  readonly recovered: Replayed
  readonly spools: readonly [EndingSpool, EndingSpool] | null
  closeSpools(): void
}

class ServingNode implements ClusterNode {
  readonly id: NodeId
  readonly engine: Engine
  readonly spools: Opened['spools']
  readonly recovered: Replayed
  #answeredAt = performance.now()
  #living = 1
  #isClosed = false
  #isBusy = false
  /** Highest version of the world that a notification told. */
  #heard = 0
  readonly #timers: ReturnType<typeof setInterval>[] = []
  readonly #listening: Listening
  readonly #sums: ReturnType<typeof openSumWriter>
  readonly #duties: Duties
  readonly #tellSecrets: (sql: SQL) => Promise<void>
  readonly #parts: NodeParts
  readonly #opened: Opened

  constructor({ id, started }: NodeLife, parts: NodeParts, opened: Opened) {
    this.id = id
    this.#parts = parts
    this.#opened = opened
    this.recovered = opened.recovered
    this.spools = opened.spools
    this.#tellSecrets = openNodeSecrets(id, parts.secrets)
    this.#sums = openSumWriter()
    const { times, zoneDay, notes, duties: names } = parts
    const { ttlMs } = times
    this.#duties = new Duties({ names, node: id, ttlMs, onGained: notes.onDuty })
    const onAnswered = (tookMs: number) => {
      this.#answeredAt = performance.now()
      notes.answered?.(tookMs)
    }
    this.engine = openPostgresEngine({
      ask: (work) => opened.line.ask(work),
      started,
      ttlMs,
      zoneDay,
      onVersion: notes.version,
      heardVersion: () => this.#heard,
      onAnswered,
      onFenced: notes.fenced,
    })
    this.#timers.push(
      setInterval(() => void this.#alone('node', this.#beat), times.beatMs),
      setInterval(() => void this.#alone('sums', this.#sum), times.sumMs),
    )
    void this.#alone('node', this.#beat)
    this.#listening = listenAsNode(id, parts, (version) => {
      this.#heard = Math.max(this.#heard, version)
    })
  }

  hasDuty(name: string): boolean {
    return this.#duties.has(name)
  }

  claimOf(duty: string): DutyClaim | null {
    return this.#duties.claimOf(duty)
  }

  silentMs(): number {
    return performance.now() - this.#answeredAt
  }

  living(): number {
    return this.#living
  }

  name(address: string): Promise<void> {
    return this.#opened.chores.ask((sql) => nameNode(sql, this.id, address))
  }

  list(): Promise<readonly NodeRow[]> {
    return this.#opened.chores.ask((sql) => listNodes(sql, this.#parts.times.ttlMs))
  }

  async tellOthers(channel: ReportedChannel, messages: readonly string[]): Promise<void> {
    const { line, chores } = this.#opened
    const tell = (sql: SQL) =>
      statement(
        sql,
        `SELECT pg_notify($3, $1::bigint || ' ' || m) FROM json_array_elements_text(($2::text)::json) AS j (m)`,
        [this.id, JSON.stringify(messages), channel],
      )
    // A short question is not to wait for sums, nor an exchange for a long list.
    await (messages.length > 1 ? chores : line).ask(tell)
  }

  reachedCaps(accounts: readonly number[], caps: ServiceCaps): Promise<readonly ReachedCap[]> {
    return this.#opened.chores.ask((sql) => reachedCaps(sql, accounts, caps))
  }

  async sumUp(): Promise<void> {
    await this.#sum()
  }

  async leave(): Promise<void> {
    const { chores } = this.#opened
    await chores.ask((sql) => this.#duties.release(sql))
    await this.#sum()
    await chores.ask((sql) => leaveNode(sql, this.id))
    await this.close()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    const { line, chores, closeSpools } = this.#opened
    await Promise.all([line.close(), chores.close(), this.#listening.close()])
    closeSpools()
  }

  readonly #sum = async (): Promise<void> => {
    for (;;) {
      const summed = await this.#opened.chores.ask((sql) => this.#sums.write(sql))
      if (summed === null) return
      if (summed.accounts.length > 0) await this.#parts.notes.summed(summed.accounts)
      if (summed.isOver) return
    }
  }

  readonly #beat = async (): Promise<void> => {
    const { chores } = this.#opened
    const { ttlMs } = this.#parts.times
    await chores.ask((sql) => this.#duties.claim(sql), ttlMs)
    await chores.ask(this.#tellSecrets, ttlMs)
    const { living, silent, clock } = await chores.ask(countNodes, ttlMs)
    this.#parts.notes.clockRead(clock)
    this.#living = Math.max(1, living)
    if (silent === 0) return
    const taken = await chores.ask((sql) => takeOver(sql, this.id, ttlMs))
    if (taken.nodes.length > 0) this.#parts.notes.tookOver(taken)
  }

  /** One at a time: what lasts longer than its turn leaves the next one out. */
  async #alone(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#isBusy || this.#isClosed) return
    this.#isBusy = true
    try {
      await work()
    } catch (fault) {
      if (!this.#isClosed) this.#parts.notes.fault(what, fault)
    } finally {
      this.#isBusy = false
    }
  }
}
