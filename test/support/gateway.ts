import { openGateway, type Gateway } from '../../src/server/gateway'
import { readConfig, type Config } from '../../src/server/config'
import type { Account, Key } from '../../src/domain/caller'
import {
  systemClock,
  systemMonotonic,
  systemRandom,
  type Clock,
  type Monotonic,
  type Ticks,
} from '../../src/domain/clock'
import type { PriceLine, Traits } from '../../src/domain/model'
import { parseUsd } from '../../src/domain/money'
import type { AuditReport } from '../../src/ledger/store'
import type {
  AccountChange,
  KeyChange,
  ProjectChange,
} from '../../src/gateway/identity/account-directory'
import { hashSecret, makeSecret, secretPrefix } from '../../src/gateway/identity/secret'
import { openLog, type Log } from '../../src/gateway/observability/log'
import type { PostPublic } from '../../src/gateway/outbound/public-fetch'
import { openPublicDoor } from '../../src/gateway/observability/metrics-door'
import { openObserving } from '../../src/gateway/observability/observing'
import type { Traces } from '../../src/gateway/observability/traces'
import { openDoors } from '../../src/server/listeners/listeners'
import {
  openPaymentService,
  type PaymentService,
} from '../../src/server/composition/payment-service'
import { closeAll } from '../../src/server/process/drain'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'
import { noDiscovery } from '../../src/gateway/vendors/discover'

export interface TestGateway {
  /** With the version. */
  readonly url: string
  /** Where operators are answered. */
  readonly operatorUrl: string
  readonly key: string
  readonly account: Account['id']
  readonly storage: Storage
  readonly gateway: Gateway
  readonly payments: PaymentService
  /** A further account with money and one key. */
  customer(options?: CustomerOptions): Promise<Customer>
  /** Sends a chat body as it is. */
  post(body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>
  /** What it printed on its terminal so far, as a gateway in demo mode does. */
  logs(): string
  /** Everything flushed, then audited. */
  audit(): Promise<AuditReport>
  /** Waits until no call is running and tells what is still held. */
  rest(): Promise<{ held: number; slots: number; balance: string }>
  close(): Promise<void>
}

export interface CustomerOptions {
  readonly usd?: string
  readonly account?: AccountChange
  readonly project?: ProjectChange
  readonly key?: KeyChange
}

export interface Customer {
  readonly account: Account['id']
  readonly key: string
  readonly keyId: Key['id']
}

export interface TestGatewayOptions extends CustomerOptions {
  readonly env?: Record<string, string>
  readonly clock?: Clock
  /** Follows `clock`, where that is given, unless told otherwise. */
  readonly monotonic?: Monotonic
  readonly folder?: string
  /** A vendor that speaks the reference format; its model is `priced`, its vendor `standin`. */
  readonly vendorUrl?: string
  /** Puts vendors and models into the catalogue before the gateway reads it. */
  readonly prepare?: (storage: Storage) => Promise<unknown>
  readonly traces?: Traces
  /** With the pages and their API. */
  readonly web?: true
  /** What the program knows of its commands. */
  readonly describeCommands?: () => string
  /** Instead of the one on standard error. */
  readonly log?: Log
  /** Where webhooks of accounts are posted to, instead of the open internet. */
  readonly postPublic?: PostPublic
}

/**
 * A gateway looks at what other processes changed once a millisecond, in which no command can end;
 * a test that stands in for one can.
 */
export const commandSeen = (): Promise<void> => Bun.sleep(3)

export const price = { input: '1.5', output: '6' }

/** A test that moves the wall clock means that time passes. */
const following = (clock: Clock | undefined): Monotonic =>
  clock === undefined ? systemMonotonic : { ticks: () => Number(clock.now()) as Ticks }

/** A gateway on a free port with one account, from the parts the program itself is made of. */
export async function openTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const config: Config = readConfig({
    CHAPAR_WEB: options.web ? '1' : '0',
    // Whoever signs in reads the code on the terminal.
    CHAPAR_DEMO: options.web ? '1' : '0',
    CHAPAR_LOG: 'silent',
    CHAPAR_ADDRESS_RPM: '10000000',
    // Client, gateway and vendor share one loop, and some tests keep it busy.
    CHAPAR_OVERLOAD_LAG: '0',
    CHAPAR_SANDBOX: 'on',
    ...options.env,
  })
  const clock = options.clock ?? systemClock
  const storage = openStorage({ folder: options.folder ?? null, exclusive: true, clock })
  if (options.vendorUrl !== undefined) await addVendor(storage, 'standin', options.vendorUrl)
  if (options.vendorUrl !== undefined) await addModel(storage, 'priced', ['standin'])
  await options.prepare?.(storage)
  const first = await addCustomer(storage, { usd: '100', ...options })
  let printed = ''
  const log: Log = {
    ...(options.log ?? openLog(config.logLevel)),
    print: (line) => void (printed += `${line}\n`),
  }
  const { metrics } = config
  const observing = openObserving({ metrics, traces: options.traces ?? null })
  const gateway = await openGateway({
    config,
    storage,
    discovery: noDiscovery,
    clock,
    monotonic: options.monotonic ?? following(options.clock),
    random: systemRandom,
    log,
    observing,
    ...(options.postPublic === undefined ? {} : { postPublic: options.postPublic }),
  })
  const { metrics: registry } = observing
  const text = registry === null ? null : async () => registry.text()
  const door = openPublicDoor(text, metrics)
  const payments = openPaymentService({ config, storage, gateway, clock, log })
  const { describeCommands = () => '' } = options
  const { server, desk } = openDoors(
    gateway,
    {
      config,
      storage,
      discovery: noDiscovery,
      clock,
      log,
      describeCommands,
      payments,
      metrics: door,
    },
    { host: '127.0.0.1', port: 0 },
  )
  const url = `${server.url}/v1`
  const { ledger, limits } = gateway.parts

  return {
    url,
    operatorUrl: desk.service.operatorUrl(),
    key: first.key,
    account: first.account,
    storage,
    gateway,
    payments,
    customer: (asked = {}) => addCustomer(storage, { usd: '100', ...asked }),
    post: (body, headers = {}, signal) =>
      fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${first.key}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }),
    logs: () => printed,
    async audit() {
      await ledger.flush()
      return storage.audit()
    },
    async rest() {
      for (let tries = 0; limits.slotsInUse() > 0 && tries < 400; tries++) await Bun.sleep(5)
      await ledger.flush()
      const balance = (await storage.directory.findAccount(first.account))?.balance ?? 0
      return { held: ledger.heldInAll(), slots: limits.slotsInUse(), balance: String(balance) }
    },
    close: () => closeAll({ server, gateway, storage, watching: observing }),
  }
}

export async function addVendor(
  storage: Storage,
  name: string,
  baseUrl: string,
  timeoutMs = 90_000,
): Promise<void> {
  await storage.catalogue.saveVendor({
    name,
    kind: 'openai',
    dialect: 'generic',
    baseUrl,
    credential: 'sk-vendor-secret',
    timeoutMs,
    transport: 'own',
    active: true,
    source: 'command',
  })
}

export async function addModel(
  storage: Storage,
  id: string,
  vendors: readonly string[],
  traits: Traits = {},
  lines: readonly PriceLine[] = usualLines,
): Promise<void> {
  await storage.catalogue.saveModel(
    {
      id,
      type: 'chat',
      name: id,
      ownedBy: vendors[0] ?? 'standin',
      description: null,
      contextLength: 128_000,
      maxOutputTokens: 16_384,
      capabilities: { streaming: true, tools: true },
      traits,
      isFree: false,
      status: 'active',
      routes: vendors.map((vendor, priority) => ({
        vendor,
        vendorModel: 'vendor-model',
        priority,
        weight: 1,
      })),
    },
    lines,
  )
}

const usualLines: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: price.input },
  { meter: 'output', unit: 'million', price: price.output },
]

let customers = 0

export async function addCustomer(storage: Storage, options: CustomerOptions): Promise<Customer> {
  const { directory, pepper } = storage
  const generous = { verified: true, concurrency: 1000, requestsPerMinute: 1_000_000 }
  const account = await directory.createAccount({ name: 'test', ...generous, ...options.account })
  const amount = parseUsd(options.usd ?? '0')
  if (amount > 0)
    await directory.deposit({
      account: account.id,
      amount,
      kind: 'topup',
      reference: `test-${++customers}`,
    })
  const project = await directory.createProject({
    account: account.id,
    name: 'test',
    ...options.project,
  })
  const secret = makeSecret('sk-chapar-v1-')
  const key = await directory.createKey(
    {
      project: project.id,
      name: 'test',
      prefix: secretPrefix(secret),
      requestsPerMinute: null,
      ...options.key,
    },
    hashSecret(secret, pepper),
  )
  return { account: account.id, key: secret, keyId: key.id }
}

/** A minimal chat request. */
export const ask = (model: string, rest: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Hello there' }],
  ...rest,
})
