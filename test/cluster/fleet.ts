import type { SQL } from 'bun'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../../src/gateway/identity/secret'
import { readDatabaseAddress } from '../../src/storage/database-address'
import { openDatabase } from '../../src/storage/postgres/connect'
import { exchangedLedger } from '../../src/ledger/postgres/exchanged-sums'
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../src/business/data/postgres/open-storage'
import { serve, type Serving } from '../support/executable'
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy'
import { startPostgres, type PostgresServer, type ServerKind } from '../support/postgres'

/** Dollars of one call of `call`. */
export const callCost = 0.0000225

/** Limits of a customer. */
interface CustomerTerms {
  readonly concurrency?: number
  readonly requestsPerMinute?: number
}

interface CallOptions {
  readonly model?: string
  readonly words?: number
  readonly stream?: boolean
  /** As a proxy tells it. */
  readonly address?: string
  readonly signal?: AbortSignal
}

export interface Customer {
  readonly account: number
  readonly project: number
  readonly key: number
  readonly secret: string
}

/** Gateways of one database, each a process with a folder of its own. */
export interface Fleet {
  readonly server: PostgresServer
  readonly url: string
  /** Stores of the database, as a command has them. */
  readonly storage: PostgresStorage
  readonly sql: SQL
  readonly gateways: Serving[]
  /** What all gateways said so far, those too that have ended. */
  logs(): readonly string[]
  /** Data folder of that name. */
  folder(name: string): string
  /** Between the gateway of that name and the database, in a fleet that has wires. */
  wire(name: string): DatabaseProxy
  /** Starts a gateway on the folder of that name, of another release where its command is given. */
  begin(name: string, command?: readonly string[], before?: readonly string[]): Promise<Serving>
  /** A further account with money and one key. */
  customer(usd: string, terms?: CustomerTerms): Promise<Customer>
  /** One priced call, a short one unless told. */
  call(at: number, secret: string, how?: CallOptions): Promise<Response>
  /** What the account was charged so far, in dollars. */
  paidBy(account: number): Promise<number>
  close(): Promise<void>
}

interface FleetOptions {
  readonly ttlSeconds: number
  readonly env?: Record<string, string>
  readonly kind?: ServerKind
  /** Of the server; a faster one unless told. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether each gateway has a wire of its own to the database. */
  readonly isWired?: boolean
  /** Whether the disk of the database can be filled. */
  readonly hasSmallDisk?: boolean
}

export async function openFleet(
  names: readonly string[],
  {
    ttlSeconds,
    env = {},
    kind = 'npm',
    settings = { fsync: 'off' },
    isWired = false,
    hasSmallDisk = false,
  }: FleetOptions,
): Promise<Fleet> {
  const server = await startPostgres(settings, kind, { hasSmallDisk })
  const url = await server.newDatabase()
  const wires = new Map<string, DatabaseProxy>()
  if (isWired) for (const name of names) wires.set(name, await startDatabaseProxy(url))
  const home = mkdtempSync(join(tmpdir(), 'chapar-fleet-'))
  const desk = join(home, 'desk')
  mkdirSync(desk)
  const address = readDatabaseAddress(url)
  const storage = await openPostgresStorage({
    address,
    folder: desk,
    clock: systemClock,
    ledger: exchangedLedger,
  })
  const sql = openDatabase({ address, max: 1, name: 'test' })
  const begun: Serving[] = []
  const begin: Fleet['begin'] = async (name, command, before = []) => {
    const folder = join(home, name)
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, 'secret.key')))
      copyFileSync(join(desk, 'secret.key'), join(folder, 'secret.key'))
    const variables = {
      CHAPAR_DATABASE: wires.get(name)?.url ?? url,
      CHAPAR_NODE_TTL: String(ttlSeconds),
      CHAPAR_ADDRESS_RPM: '1000000',
      CHAPAR_DRAIN_DELAY: '0',
      ...env,
    }
    const gateway = await serve(['--data', folder], variables, before, command)
    begun.push(gateway)
    return gateway
  }
  const gateways = await Promise.all(names.map((name) => begin(name)))
  const { directory } = storage
  return {
    server,
    url,
    storage,
    sql,
    gateways,
    logs: () => begun.map((gateway) => gateway.logs()),
    folder: (name) => join(home, name),
    wire(name) {
      const wire = wires.get(name)
      if (wire === undefined) throw new Error(`no wire of ${name}`)
      return wire
    },
    begin,
    async customer(usd, { concurrency = 1000, requestsPerMinute = 100_000 } = {}) {
      const { id } = await directory.createAccount({ name: 'customer', verified: true })
      await directory.setAccount(id, { concurrency, requestsPerMinute })
      const project = await directory.createProject({ account: id, name: 'main' })
      const secret = makeSecret('sk-chapar-v1-')
      const named = { project: project.id, name: 'key', prefix: secretPrefix(secret) }
      const made = { ...named, requestsPerMinute }
      const key = await directory.createKey(made, hashSecret(secret, storage.pepper))
      const paid = { amount: parseUsd(usd), kind: 'topup', reference: `first-${id}` } as const
      await directory.deposit({ account: id, ...paid })
      return { account: id, project: project.id, key: key.id, secret }
    },
    call: (at, secret, how = {}) => {
      const { model = 'sandbox/echo-priced', words = 3, stream = false, address: from } = how
      return fetch(`${gateways[at]?.url}/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          ...(from === undefined ? {} : { 'x-forwarded-for': from }),
        },
        body: JSON.stringify({
          model,
          messages: [{ role: 'user', content: 'word '.repeat(words) }],
          max_tokens: Math.max(20, 2 * words),
          stream,
        }),
        ...(how.signal === undefined ? {} : { signal: how.signal }),
      })
    },
    async paidBy(account) {
      const [row] = (await sql.unsafe(
        `SELECT coalesce(sum(amount), 0)::bigint AS spent FROM transfers WHERE kind = 'charge' AND debit = $1`,
        [account],
      )) as { spent: bigint }[]
      return Number(row?.spent) / 1e9
    },
    async close() {
      for (const gateway of gateways) gateway.kill('SIGTERM')
      await Promise.all(gateways.map(({ exited }) => exited))
      for (const wire of wires.values()) await wire.close()
      await storage.close()
      await sql.close()
      await server.remove()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
