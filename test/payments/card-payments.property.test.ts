import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { nanoUsd } from '../../src/domain/money'
import { dollarsOfCoins } from '../../src/business/payments/rate'
import { trialBank } from '../../src/domain/payment'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openGatewayStandIn, type GatewayStandIn, type StandInKind } from './gateway-stand-ins'
import { accounts, storySteps, type ChildOrder, type Story } from './payment-child'
import { roundsOf } from '../support/campaigns'

const kinds = ['zarinpal', 'zibal', 'stripe', trialBank] as const
const storiesOfKind = roundsOf('card payments')
/** Some end before anything of them is written. */
const spareStories = 40
const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31)

const standIns = kinds
  .filter((kind): kind is StandInKind => kind !== trialBank)
  .map((kind) => openGatewayStandIn(kind))

/** Where the child's customers decide. */
const control = (standIn: GatewayStandIn | undefined) =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const [, name = '', state] = new URL(request.url).pathname.split('/')
      standIn?.decide(name, state === 'paid' ? 'paid' : 'failed')
      return new Response('ok')
    },
  })
const controls = new Map(
  kinds.map((kind) => [kind, control(standIns.find((each) => each.kind === kind))]),
)
afterAll(async () => {
  for (const each of [...standIns, ...controls.values()]) await each.stop()
})

const steps = fc.array(fc.constantFrom(...storySteps), { maxLength: 3 })
const story: fc.Arbitrary<Story> = fc.record({
  decides: fc.constantFrom('paid', 'paid', 'paid', 'failed', 'left', 'failed-then-paid'),
  before: steps,
  after: steps,
})

/** Ticks until the process is killed: some die in their first payment, some tell dozens of stories. */
const killMoments = fc.array(fc.integer({ min: 3, max: 700 }), { minLength: 16, maxLength: 16 })

async function liveOn(order: ChildOrder): Promise<number | null> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'payment-child.ts')], {
    stdin: new TextEncoder().encode(JSON.stringify(order)),
    stdout: 'inherit',
    stderr: 'inherit',
  })
  await child.exited
  return child.signalCode === null ? child.exitCode : null
}

/** What a killed process has written it has written, also where no disk is: that spares thousands of syncs. */
function memoryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'chapar-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const told = (folder: string): number =>
  existsSync(join(folder, 'story')) ? Number(readFileSync(join(folder, 'story'), 'utf8')) + 1 : 0

test.concurrent.each([...kinds])(
  `%s: of ${storiesOfKind} payments, with processes killed at any moment, exactly the paid ones are credited, once`,
  async (kind) => {
    using folder = memoryFolder()
    const standIn = standIns.find((each) => each.kind === kind)
    await prepare(folder.path, kind, standIn)
    const [stories = []] = fc.sample(
      fc.array(story, {
        minLength: storiesOfKind + spareStories,
        maxLength: storiesOfKind + spareStories,
      }),
      { numRuns: 1, seed },
    )
    const [kills = []] = fc.sample(killMoments, { numRuns: 1, seed })
    const common = { folder: folder.path, gateway: kind, stories, aheadMs: 0 }
    const at = `http://127.0.0.1:${controls.get(kind)?.port}`
    let died = 0
    for (const killAt of [...kills, null]) {
      const from = told(folder.path)
      // The last one lives to the end, whatever is left to tell.
      const ended = await liveOn({ ...common, control: at, from, killAt })
      if (ended === null) died++
      else expect(ended).toBe(0)
    }
    expect(died).toBeGreaterThan(storiesOfKind / 20 - 1)
    await check(folder.path, kind, standIn)
  },
)

async function prepare(folder: string, kind: string, standIn: GatewayStandIn | undefined) {
  const storage = openStorage({ folder, exclusive: false, clock: systemClock })
  await storage.payments.setRate('100000', 'test')
  for (let at = 0; at < accounts; at++)
    await storage.directory.createAccount({ name: `customer ${at}` })
  if (standIn !== undefined)
    await storage.cardGateways.save({
      name: 'main',
      kind: kind as StandInKind,
      options: { base: standIn.base },
      secret: standIn.secret,
    })
  await storage.close()
}

async function check(folder: string, kind: string, standIn: GatewayStandIn | undefined) {
  const storage = openStorage({ folder, exclusive: false, clock: systemClock })
  try {
    const all = await storage.cardPayments.list({
      account: null,
      state: null,
      before: null,
      max: 10_000,
    })
    expect(all.length).toBeGreaterThanOrEqual(storiesOfKind)
    let credited = 0
    let sum = 0
    for (const payment of all) {
      const { reference, state, credit, coins } = payment
      const slip = kind === trialBank ? await storage.trialSlips.find(reference ?? '') : null
      const session = standIn?.sessions.get(reference ?? '')
      const isPaid =
        slip === null
          ? session?.state === 'paid' || session?.state === 'verified'
          : slip.state === 'paid'
      expect({ reference, isCredited: state === 'credited' }).toEqual({
        reference,
        isCredited: isPaid,
      })
      expect(state).not.toBe('started')
      if (credit === null) continue
      credited++
      sum += credit.amount
      if (coins === null) expect(credit.amount).toBe(payment.amount)
      else {
        if (credit.at <= coins.until) expect(credit.rate).toBe(coins.rate)
        expect(credit.amount).toBe(dollarsOfCoins(coins.count, credit.rate ?? ''))
      }
    }
    expect(credited).toBeGreaterThan(storiesOfKind / 4)
    const { total, byWay } = await storage.moneyIn({ from: null, to: null })
    expect(total).toEqual(byWay.card)
    expect(total).toMatchObject({ count: credited, amount: nanoUsd(sum) })
    const { ok, differences } = await storage.audit()
    expect({ ok, differences }).toEqual({ ok: true, differences: [] })
  } finally {
    await storage.close()
  }
}
