/** What processes of one service tell each other of vendors. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { openSharedHealth } from '../../src/server/vendor-events'
import {
  openVendorHealth,
  type VendorHealthBook,
} from '../../src/gateway/catalogue/health/vendor-health'
import type { VendorConfig } from '../../src/domain/model'
import { GatewayError } from '../../src/errors/gateway-error'
import { messageOnly, VendorFailure } from '../../src/errors/vendor-failure'
import { openNodeBus, type NodeBus } from '../../src/server/cluster/node-bus'
import { handClock } from '../storage/folder'
import { paced } from '../support/pace'

/** They tell each other twice a second. */
const toldMs = paced(700)

const vendor: VendorConfig = {
  name: 'v',
  kind: 'openai',
  dialect: 'generic',
  baseUrl: 'http://127.0.0.1:9/v1',
  credential: 'a',
  timeoutMs: 1000,
  transport: 'own',
  active: true,
  source: 'command',
  moreCredentials: [{ name: 'second', secret: 'b', active: true }],
}

const limited = new GatewayError('upstream_rate_limited', { model: 'm' }, { retryAfterSeconds: 30 })
const failing = new GatewayError('upstream_error', { model: 'm' })
const refused = new GatewayError(
  'upstream_error',
  { model: 'm' },
  { cause: new VendorFailure(401, messageOnly('no'), 'credential') },
)
const passed = { error: null, provesCredential: true, balance: null, isEmpty: false }

let clock: ReturnType<typeof handClock>
let all: readonly VendorHealthBook[]
const pass = (ms: number) => clock.set(clock.now() + ms)
const at = (index: number) => all[index] as VendorHealthBook
/** Names of the credentials that a call of a project would try. */
const tried = (index: number) =>
  at(index)
    .order(vendor, { project: 0 as never })
    .map(({ credentialName }) => credentialName)
const first = () => at(0).order(vendor, { project: 0 as never })[0] as VendorConfig
const turns = (index: number) =>
  at(index)
    .takeChanges()
    .turns.map(({ kind }) => kind)

beforeEach(() => {
  clock = handClock()
  const nodes: NodeBus[] = []
  all = [0, 1].map((node) => {
    const own = openNodeBus({
      node,
      living: () => 2,
      async tell(messages) {
        for (const message of messages) nodes[1 - node]?.hear(node, message)
      },
    })
    nodes.push(own)
    const health = openVendorHealth({
      clock,
      monotonic: clock,
      terms: { checkEveryMs: () => 600_000, downAfterMs: () => 60_000, jitter: () => 1 },
      tellsBalance: () => false,
      kept: [],
    })
    health.configure([vendor])
    return openSharedHealth({
      health,
      bus: own.bus,
      clock,
      configOf: (name) => (name === 'v' ? vendor : null),
      maxAttempts: 20,
    })
  })
})

describe('processes of one service', () => {
  test('rest a credential that its vendor limits, all of them, for as long as it says', async () => {
    const limitedOne = first()
    at(0).failed(limitedOne, limited)
    await Bun.sleep(toldMs)
    for (const index of [0, 1]) expect(tried(index)).toEqual(['second'])
    pass(29_000)
    await Bun.sleep(toldMs)
    for (const index of [0, 1]) expect(tried(index)).toEqual(['second'])
    pass(2000)
    for (const index of [0, 1]) expect(tried(index)).toHaveLength(2)
  })

  test('take up what a check of one of them found', async () => {
    const dead = first()
    at(0).failed(dead, refused)
    await Bun.sleep(toldMs)
    expect([turns(0), turns(1)]).toEqual([['refuses_key'], ['refuses_key']])
    expect(tried(1)).toEqual(['second'])
    at(1).checked(dead, passed)
    await Bun.sleep(toldMs)
    expect([turns(0), turns(1)]).toEqual([['back'], ['back']])
    expect(tried(0)).toHaveLength(2)
  })

  test('do not take a success of before a failure for its end', async () => {
    const one = first()
    at(1).succeeded(one)
    pass(1)
    at(0).failed(one, refused)
    await Bun.sleep(toldMs)
    for (const index of [0, 1]) expect(tried(index)).toEqual(['second'])
    pass(1)
    at(1).succeeded(one)
    await Bun.sleep(toldMs)
    for (const index of [0, 1]) expect(tried(index)).toHaveLength(2)
  })

  test('do not count as down what now and then fails', async () => {
    for (let minutes = 0; minutes < 3; minutes++) {
      at(0).failed(first(), failing)
      pass(100)
      at(0).succeeded(first())
      await Bun.sleep(toldMs)
      pass(60_000)
    }
    expect(turns(1)).toEqual([])
    expect(at(1).coolingUntil('v')).toBeNull()
  })

  test('hear of failures however many calls go on', async () => {
    const one = first()
    for (let calls = 0; calls < 1000; calls++) {
      at(0).succeeded(one)
      at(0).attempted({ config: one, tookMs: 0, failed: null, error: null })
    }
    pass(1)
    at(0).failed(one, limited)
    await Bun.sleep(toldMs)
    expect(tried(1)).toEqual(['second'])
    const [whole] = at(1).states()
    expect(whole?.recent?.attempts).toBe(20)
  })
})
