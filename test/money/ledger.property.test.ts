import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Caller } from '../../src/domain/caller'
import { nanoUsd, zeroUsd, type NanoUsd } from '../../src/domain/money'
import { GatewayError } from '../../src/errors/gateway-error'
import { LeasedHold } from '../../src/ledger/leased/leased-hold'
import type { Hold, Ledger } from '../../src/ledger/ledger'
import { openLedger, type LedgerParts } from '../../src/ledger/open-ledger'
import type { Storage } from '../../src/business/data/storage'
import { openHandedLedger } from '../ledger/handed-ledger'
import { openLocalLeasedLedger } from '../ledger/leased/local-ledger'
import { customer, ending, opening, testFolder, type HandClock } from '../storage/folder'
import { firstSeed, roundsOf } from '../support/campaigns'
import { neverMs } from '../support/pace'

/** What may happen, in any order. Numbers choose among what is there. */
type Step =
  | { readonly do: 'hold'; readonly who: number; readonly amount: number }
  | { readonly do: 'grow' | 'settle'; readonly which: number; readonly amount: number }
  | { readonly do: 'release'; readonly which: number }
  | { readonly do: 'topup'; readonly who: number; readonly amount: number }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'flush' | 'refresh' | 'restart' }

// Round ones meet the caps exactly.
const round = fc.nat(8).map((hundreds) => hundreds * 100)
const amount = fc.oneof(fc.constant(0), fc.nat(400), { weight: 3, arbitrary: round })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('hold'), who: fc.nat(3), amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('grow'), which: fc.nat(), amount }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle'), which: fc.nat(), amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release'), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('topup'), who: fc.nat(3), amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.nat(400) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('flush', 'refresh') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
) as fc.Arbitrary<Step>

const limits = {
  kycCeiling: nanoUsd(700),
  serviceDayCapacity: nanoUsd(900),
  flushMs: neverMs,
  pendingAfterMs: neverMs,
}

/** A charge or a hold as the model knows it: whose, when opened, how much. */
interface Sum {
  readonly caller: Caller
  readonly day: string
  amount: number
}

/** The plainest ledger there can be: lists, summed up anew at each question. */
function openModel() {
  const charges: Sum[] = []
  const holds = new Set<Sum>()
  const money = new Map<number, number>()
  /** What the service bore of each account's charges. */
  const covered = new Map<number, number>()
  const sum = (of: (one: Sum) => boolean): number =>
    [...charges, ...holds].filter(of).reduce((total, one) => total + one.amount, 0)
  return {
    charges,
    holds,
    covered,
    topup: (account: number, by: number) => void money.set(account, (money.get(account) ?? 0) + by),
    balance: (account: number): number =>
      (money.get(account) ?? 0) +
      (covered.get(account) ?? 0) -
      charges
        .filter(({ caller }) => caller.account.id === account)
        .reduce((total, one) => total + one.amount, 0),
    held: (account: number): number =>
      [...holds]
        .filter(({ caller }) => caller.account.id === account)
        .reduce((total, one) => total + one.amount, 0),
    /** The code that stands in the way of `more`; null when nothing does. */
    refusal({ account, project, key }: Caller, day: string, more: number): string | null {
      const ofAccount = (one: Sum) => one.caller.account.id === account.id
      if (more === 0) {
        const spent = charges.filter(ofAccount).reduce((total, one) => total + one.amount, 0)
        return account.verified || spent < limits.kycCeiling ? null : 'kyc_required'
      }
      const over = (limit: NanoUsd | null, of: (one: Sum) => boolean) =>
        limit !== null && sum(of) + more > limit
      if (over(key.spendLimit, (one) => one.caller.key.id === key.id))
        return 'key_spend_limit_reached'
      const month = day.slice(0, 7)
      const ofMonth = (one: Sum) =>
        one.caller.project.id === project.id && one.day.startsWith(month)
      if (over(project.monthlyBudget, ofMonth)) return 'project_budget_exceeded'
      if (over(account.dailyCap, (one) => ofAccount(one) && one.day === day))
        return 'daily_cap_reached'
      if (!account.verified && over(limits.kycCeiling, ofAccount)) return 'kyc_required'
      if (over(limits.serviceDayCapacity, (one) => one.day === day)) return 'daily_capacity_reached'
      return this.balance(account.id) - this.held(account.id) < more ? 'insufficient_credit' : null
    },
  }
}

/** Four keys of two accounts, with every kind of cap between them. */
async function callersOn(storage: Storage): Promise<readonly Caller[]> {
  const one = await customer(storage, {
    account: { dailyCap: nanoUsd(500) },
    project: { monthlyBudget: nanoUsd(800) },
    key: { spendLimit: nanoUsd(600) },
  })
  const two = await customer(storage, { account: { verified: false } })
  const another = async (of: Caller, name: string): Promise<Caller> => {
    const made = { project: of.project.id, name, prefix: 'sk' }
    return { ...of, key: await storage.directory.createKey(made, name) }
  }
  return [one, await another(one, 'b'), two, await another(two, 'd')]
}

/** @param wealth what each account has at first @param met counts how each hold went */
async function play(
  openLedger: (parts: LedgerParts) => Ledger,
  wealth: number,
  steps: readonly Step[],
  met: Map<string, number>,
): Promise<void> {
  using folder = testFolder()
  const { clock } = folder
  let storage = folder.open(true)
  const command = folder.open()
  const callers = await callersOn(storage)
  const open = () =>
    openLedger({
      store: storage.ledger,
      settings: limits,
      onFault: (fault) => {
        throw fault
      },
    })
  let ledger = open()
  let running: { hold: Hold; sum: Sum }[] = []
  const model = openModel()
  let references = 0

  const callerAt = (index: number): Caller => callers[index % callers.length] ?? never()
  const take = (which: number) =>
    running.length === 0 ? null : (running.splice(which % running.length, 1)[0] ?? never())
  /** Does it in both, which must agree. @returns whether it was allowed */
  const agree = async (
    caller: Caller,
    day: string,
    more: number,
    work: () => unknown,
  ): Promise<boolean> => {
    readCovered()
    const expected = model.refusal(caller, day, more)
    expect(await refusalOf(work)).toBe(expected)
    met.set(expected ?? 'allowed', (met.get(expected ?? 'allowed') ?? 0) + 1)
    return expected === null
  }
  /** What was charged beyond a balance, more than was ever held, is borne by the service once it is written. */
  const coveredOf = folder.raw().prepare<{ amount: number }, [number]>(
    `SELECT coalesce(sum(amount), 0) AS amount FROM transfers
      WHERE reference LIKE 'uncovered-%' AND credit = ?`,
  )
  const readCovered = () => {
    for (const { account } of callers)
      model.covered.set(account.id, coveredOf.get(account.id)?.amount ?? 0)
  }
  const reread = () => {
    command.version()
    ledger.refresh()
  }

  const actions = {
    async hold({ who, amount: more }: Step & { do: 'hold' }) {
      const caller = callerAt(who)
      const day = dayOf(clock)
      const call = opening(caller, clock.now())
      let hold: Hold | null = null
      const allowed = await agree(caller, day, more, async () => {
        hold = await ledger.hold({ caller, amount: nanoUsd(more), opening: call })
      })
      if (!allowed || hold === null) return
      const sum = { caller, day, amount: more }
      model.holds.add(sum)
      running.push({ hold, sum })
    },
    async grow({ which, amount: more }: Step & { do: 'grow' }) {
      const one = running[which % Math.max(running.length, 1)]
      if (one === undefined) return
      const { sum, hold } = one
      const grow = async () =>
        hold instanceof LeasedHold ? hold.growFromAll(nanoUsd(more)) : hold.grow(nanoUsd(more))
      if (await agree(sum.caller, sum.day, more, grow)) sum.amount += more
      expect(Number(hold.amount)).toBe(sum.amount)
    },
    settle({ which, amount: cost }: { which: number; amount: number }) {
      const one = take(which)
      if (one === null) return
      one.hold.settle(ending(nanoUsd(cost)))
      expect(() => one.hold.release(ending(zeroUsd))).toThrow('closed twice')
      model.holds.delete(one.sum)
      model.charges.push({ ...one.sum, amount: cost })
    },
    release: ({ which }: { which: number }) => {
      const one = take(which)
      if (one === null) return
      one.hold.release(ending(zeroUsd))
      model.holds.delete(one.sum)
    },
    async topup({ who, amount: by }: Step & { do: 'topup' }) {
      if (by === 0) return
      const { id } = callerAt(who).account
      const reference = `topup-${++references}`
      await command.directory.deposit({
        account: id,
        amount: nanoUsd(by),
        kind: 'topup',
        reference,
      })
      model.topup(id, by)
      reread()
    },
    wait: ({ hours }: Step & { do: 'wait' }) => clock.set(clock.now() + hours * 3_600_000),
    flush: () => ledger.flush(),
    refresh: reread,
    /** An orderly end: what is running is over, and everything is written. */
    async restart() {
      while (running.length > 0) actions.release({ which: 0 })
      await ledger.close()
      await storage.close()
      storage = folder.open(true)
      expect(await storage.ledger.recover()).toBe(0)
      ledger = open()
    },
  }

  const check = async () => {
    // Another process learns what has ended with its commit, which covers what nobody pays.
    for (const { account } of callers) await ledger.funds(account.id)
    readCovered()
    for (const { account } of callers)
      expect(await ledger.funds(account.id)).toMatchObject({
        balance: nanoUsd(model.balance(account.id)),
        held: nanoUsd(model.held(account.id)),
      })
    expect(Number(ledger.heldInAll())).toBe(
      [...model.holds].reduce((sum, one) => sum + one.amount, 0),
    )
  }

  for (const who of [0, 2]) await actions.topup({ do: 'topup', who, amount: wealth })
  for (const one of steps) {
    await (actions[one.do] as (step: Step) => unknown)(one)
    await check()
  }
  for (const { key } of callers)
    expect(Number(await ledger.spentByKey(key.id))).toBe(
      model.charges
        .filter(({ caller }) => caller.key.id === key.id)
        .reduce((sum, one) => sum + one.amount, 0),
    )
  await ledger.flush()
  expect(await command.audit()).toMatchObject({ differences: [], pending: running.length })
  for (const { hold } of running) hold.release(ending(zeroUsd))
  running = []
  expect(ledger.heldInAll()).toBe(zeroUsd)
  await ledger.close()
  expect(await storage.audit()).toMatchObject({ differences: [], pending: 0 })
  readCovered()
  for (const { account } of callers)
    expect(Number((await storage.directory.findAccount(account.id))?.balance)).toBe(
      model.balance(account.id),
    )
}

test.each([
  ['one process', openLedger, 40],
  ['slices', openLocalLeasedLedger, 20],
  ['another process', openHandedLedger, 20],
] as const)(
  'any order of holds, growths, settlements, releases, topups elsewhere, commits, days and restarts adds up: %s',
  async (_, open, numRuns) => {
    const met = new Map<string, number>()
    const steps = fc.array(step, { minLength: 1, maxLength: 60, size: 'max' })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 300, 5000), steps, (wealth, each) =>
        play(open, wealth, each, met),
      ),
      { numRuns: numRuns * roundsOf('ledger'), seed: firstSeed },
    )
    // Every way a hold can go was gone, or this proves less than it says.
    expect([...met.keys()].toSorted()).toEqual([
      'allowed',
      'daily_cap_reached',
      'daily_capacity_reached',
      'insufficient_credit',
      'key_spend_limit_reached',
      'kyc_required',
      'project_budget_exceeded',
    ])
  },
)

test('any number of holds at once spends no more than there is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 1000 }),
      fc.nat(2000),
      async (calls, each, money) => {
        using folder = testFolder()
        const storage = folder.open(true)
        const caller = await customer(storage)
        if (money > 0)
          await storage.directory.deposit({
            account: caller.account.id,
            amount: nanoUsd(money),
            kind: 'topup',
            reference: 'r',
          })
        const settings = { ...limits, serviceDayCapacity: null }
        const ledger = openLedger({ store: storage.ledger, settings, onFault: () => {} })
        let allowed = 0
        for (let i = 0; i < calls; i++) {
          const call = opening(caller, folder.clock.now())
          const refused = await refusalOf(() =>
            ledger.hold({ caller, amount: nanoUsd(each), opening: call }),
          )
          if (refused === null) allowed++
          else expect(refused).toBe('insufficient_credit')
        }
        expect(allowed).toBe(Math.min(calls, Math.floor(money / each)))
        await ledger.close()
      },
    ),
    { numRuns: 30 },
  )
})

async function refusalOf(work: () => unknown): Promise<string | null> {
  try {
    await work()
    return null
  } catch (thrown) {
    return codeOf(thrown)
  }
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof GatewayError) return (thrown as GatewayError).code
  throw thrown
}

const dayOf = (clock: HandClock): string => new Date(clock.now()).toISOString().slice(0, 10)

function never(): never {
  throw new Error('unreachable')
}
