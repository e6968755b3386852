import type { Ms } from '../../src/domain/clock'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readConfig } from '../../src/server/config'
import type { Caller } from '../../src/domain/caller'
import type { AccountId, KeyId, ProjectId } from '../../src/domain/ids'
import { nanoUsd, showUsd, zeroUsd, type NanoUsd } from '../../src/domain/money'
import type { Secret } from '../../src/domain/secret'
import { GatewayError } from '../../src/errors/gateway-error'
import { openGateway } from '../../src/server/gateway'
import { hashSecret, makeSecret } from '../../src/gateway/identity/secret'
import type { Hold } from '../../src/ledger/ledger'
import { openLog } from '../../src/gateway/observability/log'
import { openObserving } from '../../src/gateway/observability/observing'
import type { Storage } from '../../src/business/data/storage'
import { noDiscovery } from '../../src/gateway/vendors/discover'
import { ending, opening, testFolder } from '../storage/folder'
import { roundsOf } from '../support/campaigns'

type Cap = number | null

/** What may happen in any order; numbers choose among what is there. */
type Step =
  | { readonly do: 'hold'; readonly who: number; readonly amount: number }
  | { readonly do: 'grow' | 'settle'; readonly which: number; readonly amount: number }
  | { readonly do: 'release'; readonly which: number }
  | { readonly do: 'topup' | 'adjust'; readonly who: number; readonly amount: number }
  | { readonly do: 'key' | 'project' | 'account'; readonly who: number; readonly cap: Cap }
  | { readonly do: 'service'; readonly what: 'kyc' | 'capacity'; readonly cap: Cap }
  | { readonly do: 'state'; readonly who: number; readonly what: State; readonly on: boolean }
  | { readonly do: 'clock'; readonly hours: number }
  | { readonly do: 'flush' }
type State = 'key' | 'revoked' | 'project' | 'account' | 'verified'

const round = fc.nat(8).map((hundreds) => hundreds * 100)
const amount = fc.oneof(fc.constant(0), fc.nat(400), { weight: 3, arbitrary: round })
const cap = fc.option(
  fc.nat(12).map((hundreds) => hundreds * 100),
  { freq: 4 },
)
const who = fc.nat(3)
const which = fc.nat()
const one = <const Word extends string>(...words: readonly Word[]) => fc.constantFrom(...words)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: one('hold'), who, amount }) },
  { weight: 5, arbitrary: fc.record({ do: one('grow'), which, amount }) },
  { weight: 6, arbitrary: fc.record({ do: one('settle'), which, amount }) },
  { weight: 2, arbitrary: fc.record({ do: one('release'), which }) },
  { weight: 2, arbitrary: fc.record({ do: one('topup', 'adjust'), who, amount }) },
  { weight: 5, arbitrary: fc.record({ do: one('key', 'project', 'account'), who, cap }) },
  { weight: 2, arbitrary: fc.record({ do: one('service'), what: one('kyc', 'capacity'), cap }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one('state'),
      who,
      what: fc.oneof(
        { weight: 4, arbitrary: one('key', 'project', 'account', 'verified') },
        { weight: 1, arbitrary: one('revoked') },
      ),
      on: fc.boolean(),
    }),
  },
  // Hours and days, a month, and a clock that is set back.
  {
    weight: 3,
    arbitrary: fc.record({ do: one('clock'), hours: fc.integer({ min: -40, max: 400 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: one('flush') }) },
) as fc.Arbitrary<Step>

/** One key and what stands behind it, as the model knows it; accounts and projects are shared. */
interface Customer {
  readonly secret: Secret
  readonly key: { readonly id: KeyId; state: 'active' | 'disabled' | 'revoked'; cap: Cap }
  readonly project: { readonly id: ProjectId; active: boolean; cap: Cap }
  readonly account: {
    readonly id: AccountId
    active: boolean
    verified: boolean
    cap: Cap
    money: number
    takenOut: number
    /** Charged beyond what was held. */
    beyond: number
    /** What the service bore of it. */
    covered: number
  }
}

/** Money held or charged: whose, in which day, how much. */
interface Sum {
  readonly of: Customer
  readonly day: string
  amount: number
}

/** Two accounts, each with a project and two keys. */
async function customersOn({ directory, pepper }: Storage): Promise<readonly Customer[]> {
  const customers: Customer[] = []
  for (let at = 0; at < 2; at++) {
    const account = await directory.createAccount({ name: 'a', verified: true })
    const project = await directory.createProject({ account: account.id, name: 'p' })
    const shared = {
      project: { id: project.id, active: true, cap: null },
      account: {
        id: account.id,
        active: true,
        verified: true,
        cap: null,
        money: 0,
        takenOut: 0,
        beyond: 0,
        covered: 0,
      },
    }
    for (let of = 0; of < 2; of++) {
      const secret = makeSecret('sk-chapar-v1-')
      const made = { project: project.id, name: 'k', prefix: 'sk' }
      const { id } = await directory.createKey(made, hashSecret(secret, pepper))
      customers.push({ ...shared, secret, key: { id, state: 'active', cap: null } })
    }
  }
  return customers
}

/** The plainest house there can be: lists, summed up anew at each question. */
function openModel() {
  const charges: Sum[] = []
  const holds = new Set<Sum>()
  const service: { kyc: Cap; capacity: Cap } = { kyc: 2_000_000_000, capacity: null }
  const total = (sums: Iterable<Sum>, of: (one: Sum) => boolean): number =>
    [...sums].filter(of).reduce((sum, each) => sum + each.amount, 0)
  const used = (of: (one: Sum) => boolean) => total(charges, of) + total(holds, of)
  const balance = ({ account }: Customer) =>
    account.money + account.covered - total(charges, (each) => each.of.account === account)
  const held = ({ account }: Customer) => total(holds, (each) => each.of.account === account)

  /** Every cap of a customer: what is spent and held under it, and how much may be. */
  const caps = ({ key, project, account }: Customer, day: string) =>
    [
      ['key_spend_limit_reached', key.cap, used((each) => each.of.key === key)],
      [
        'project_budget_exceeded',
        project.cap,
        used((each) => each.of.project === project && each.day.slice(0, 7) === day.slice(0, 7)),
      ],
      [
        'daily_cap_reached',
        account.cap,
        used((each) => each.of.account === account && each.day === day),
      ],
      [
        'kyc_required',
        account.verified ? null : service.kyc,
        used((each) => each.of.account === account),
      ],
      ['daily_capacity_reached', service.capacity, used((each) => each.day === day)],
    ] as const

  return {
    charges,
    holds,
    service,
    balance,
    held,
    heldInAll: () => total(holds, () => true),
    caps,
    /** The code that stands in the way of `more`; null when nothing does. */
    refusal(customer: Customer, day: string, more: number): string | null {
      const { key, project, account } = customer
      if (key.state === 'revoked') return 'api_key_revoked'
      if (key.state === 'disabled') return 'api_key_disabled'
      if (!account.active) return 'account_suspended'
      if (!project.active) return 'project_inactive'
      if (more === 0) {
        const spent = total(charges, (each) => each.of.account === account)
        return account.verified || spent < (service.kyc ?? 0) ? null : 'kyc_required'
      }
      const full = caps(customer, day).find(
        ([, limit, sum]) => limit !== null && sum + more > limit,
      )
      if (full !== undefined) return full[0]
      return balance(customer) - held(customer) < more ? 'insufficient_credit' : null
    },
  }
}

async function play(steps: readonly Step[], met: Map<string, number>): Promise<void> {
  using folder = testFolder()
  const { clock } = folder
  const storage = folder.open(true)
  const command = folder.open()
  const customers = await customersOn(command)
  const gateway = await openGateway({
    config: readConfig({ CHAPAR_LOG: 'silent' }),
    storage,
    discovery: noDiscovery,
    clock,
    monotonic: clock,
    random: () => 0,
    log: openLog('silent'),
    observing: openObserving({ metrics: null, traces: null }),
  })
  const { identity, ledger, renew } = gateway.parts
  const model = openModel()
  const running: { hold: Hold; sum: Sum; caller: Caller; opened: Ms }[] = []
  let references = 0

  const customerAt = (index: number): Customer => customers[index % customers.length] ?? never()
  const take = (index: number) =>
    running.length === 0 ? null : (running.splice(index % running.length, 1)[0] ?? never())

  /** Does it in both, which must agree; a hold that is allowed is within every cap. */
  const agree = async (
    customer: Customer,
    day: string,
    more: number,
    work: () => Promise<void>,
  ): Promise<boolean> => {
    const expected = model.refusal(customer, day, more)
    expect(await refusalOf(work)).toBe(expected)
    met.set(expected ?? 'allowed', (met.get(expected ?? 'allowed') ?? 0) + 1)
    if (expected !== null || more === 0) return expected === null
    for (const [, limit, sum] of model.caps(customer, day))
      expect(sum + more).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY)
    return true
  }
  const nanos = (value: Cap): NanoUsd | null => (value === null ? null : nanoUsd(value))
  const deposit = async ({ account }: Customer, by: number, kind: 'topup' | 'adjustment') => {
    if (by === 0) return
    const reference = `r${++references}`
    await command.directory.deposit({ account: account.id, amount: nanoUsd(by), kind, reference })
    account.money += by
    account.takenOut += Math.max(0, -by)
  }

  const actions: { readonly [Kind in Step['do']]: (step: Step & { do: Kind }) => Promise<void> } = {
    async hold(asked) {
      const customer = customerAt(asked.who)
      const day = dayOf(clock.now())
      let made: (typeof running)[number] | null = null
      const allowed = await agree(customer, day, asked.amount, async () => {
        // As the server does before each request.
        await gateway.sync()
        const caller = await identity.identify(customer.secret)
        const call = opening(caller, clock.now())
        const hold = await ledger.hold({ caller, amount: nanoUsd(asked.amount), opening: call })
        made = {
          hold,
          caller,
          opened: call.created,
          sum: { of: customer, day, amount: asked.amount },
        }
      })
      if (!allowed || made === null) return
      running.push(made)
      model.holds.add((made as (typeof running)[number]).sum)
    },
    async grow(asked) {
      const call = running[asked.which % Math.max(running.length, 1)]
      if (call === undefined) return
      const { sum, hold, caller, opened } = call
      const grows = async () => {
        // A look never waits: what it finds is taken in before the next one.
        await gateway.sync()
        await identity.renewal(caller)
        await ledger.room(caller, opened)
        hold.grow(nanoUsd(asked.amount), renew(caller))
      }
      if (await agree(sum.of, sum.day, asked.amount, grows)) sum.amount += asked.amount
      expect(Number(hold.amount)).toBe(sum.amount)
    },
    async settle(asked) {
      const call = take(asked.which)
      if (call === null) return
      call.sum.of.account.beyond += Math.max(0, asked.amount - Number(call.hold.amount))
      call.hold.settle(ending(nanoUsd(asked.amount)))
      model.holds.delete(call.sum)
      model.charges.push({ ...call.sum, amount: asked.amount })
    },
    async release(asked) {
      const call = take(asked.which)
      if (call === null) return
      call.hold.release(ending(zeroUsd))
      model.holds.delete(call.sum)
    },
    topup: (asked) => deposit(customerAt(asked.who), asked.amount * 3, 'topup'),
    adjust: (asked) => deposit(customerAt(asked.who), -asked.amount, 'adjustment'),
    async key(asked) {
      const { key } = customerAt(asked.who)
      await command.directory.setKey(key.id, { spendLimit: nanos((key.cap = asked.cap)) })
    },
    async project(asked) {
      const { project } = customerAt(asked.who)
      await command.directory.setProject(project.id, {
        monthlyBudget: nanos((project.cap = asked.cap)),
      })
    },
    async account(asked) {
      const { account } = customerAt(asked.who)
      await command.directory.setAccount(account.id, { dailyCap: nanos((account.cap = asked.cap)) })
    },
    async service({ what, cap: limit }) {
      const value = what === 'kyc' ? (limit ?? 0) : limit
      model.service[what] = value
      await command.settings.set(
        what === 'kyc' ? 'kyc-ceiling' : 'day-capacity',
        value === null ? 'none' : showUsd(nanoUsd(value)),
      )
    },
    async state({ who: index, what, on }) {
      const { key, project, account } = customerAt(index)
      const { directory } = command
      if (what === 'project')
        await directory.setProject(project.id, { active: (project.active = on) })
      else if (what === 'verified')
        await directory.setAccount(account.id, { verified: (account.verified = on) })
      else if (what === 'account') {
        account.active = on
        await directory.setAccount(account.id, { status: on ? 'active' : 'suspended' })
      } else if (key.state !== 'revoked') {
        key.state = what === 'revoked' ? 'revoked' : on ? 'active' : 'disabled'
        await directory.setKey(key.id, { state: key.state })
      }
    },
    clock: async ({ hours }) => clock.set(clock.now() + hours * 3_600_000),
    flush: async () => ledger.flush(),
  }

  /** What was taken out while a call ran, and that call spent too, is borne by the service, as what it never held. */
  const coveredOf = folder.raw().prepare<{ amount: number }, [number]>(
    `SELECT coalesce(sum(amount), 0) AS amount FROM transfers
      WHERE reference LIKE 'uncovered-%' AND credit = ?`,
  )
  const readCovered = () => {
    for (const { account } of customers) {
      account.covered = coveredOf.get(account.id)?.amount ?? 0
      expect(account.covered).toBeLessThanOrEqual(account.takenOut + account.beyond)
    }
  }

  const act = <Kind extends Step['do']>(doing: Step & { do: Kind }) => actions[doing.do](doing)
  for (const [index, customer] of customers.entries())
    if (index % 2 === 0) await deposit(customer, 1500, 'topup')
  for (const each of steps) {
    clock.set(clock.now() + 1)
    readCovered()
    await act(each)
    // Not at each step: looking reads anew what a call must read by itself.
    if (each.do !== 'flush' && each.do !== 'clock') continue
    await gateway.sync()
    readCovered()
    for (const customer of customers)
      expect(await ledger.funds(customer.account.id)).toMatchObject({
        balance: nanoUsd(model.balance(customer)),
        held: nanoUsd(model.held(customer)),
      })
    expect(Number(ledger.heldInAll())).toBe(model.heldInAll())
  }
  await ledger.flush()
  // Balances are the sum of the ledger, as another process finds it.
  expect(await command.audit()).toMatchObject({ differences: [], pending: running.length })
  while (running.length > 0) await actions.release({ do: 'release', which: 0 })
  expect(ledger.heldInAll()).toBe(zeroUsd)
  await gateway.close()
  readCovered()
  expect(await command.audit()).toMatchObject({ differences: [], pending: 0 })
  for (const customer of customers)
    expect(Number((await command.directory.findAccount(customer.account.id))?.balance)).toBe(
      model.balance(customer),
    )
}

const waysOfHolds = [
  'account_suspended',
  'allowed',
  'api_key_disabled',
  'api_key_revoked',
  'daily_cap_reached',
  'daily_capacity_reached',
  'insufficient_credit',
  'key_spend_limit_reached',
  'kyc_required',
  'project_budget_exceeded',
  'project_inactive',
]

test('any commands between calls, while they run and grow, over midnights, months and clocks set back, keep every cap and every sum', async () => {
  const met = new Map<string, number>()
  const steps = fc.array(step, { minLength: 1, maxLength: 70, size: 'max' })
  // Every way a hold can go is gone, or this proves less than it says; some are met seldom.
  for (let rounds = 0; rounds === 0 || (rounds < 10 && met.size < waysOfHolds.length); rounds++)
    await fc.assert(
      fc.asyncProperty(steps, (all) => play(all, met)),
      { numRuns: roundsOf('controls') },
    )
  expect([...met.keys()].toSorted()).toEqual(waysOfHolds)
})

async function refusalOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (thrown) {
    if (thrown instanceof GatewayError) return (thrown as GatewayError).code
    throw thrown
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function never(): never {
  throw new Error('unreachable')
}
