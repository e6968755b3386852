import { expect, test } from 'bun:test'
import type { Caller } from '../../src/domain/caller'
import { minus, parseUsd, showUsd, zeroUsd, type NanoUsd } from '../../src/domain/money'
import { GatewayError } from '../../src/errors/gateway-error'
import type { Hold, Ledger } from '../../src/ledger/ledger'
import { openLedger, type LedgerParts } from '../../src/ledger/open-ledger'
import { openHandedLedger } from './handed-ledger'
import { openLocalLeasedLedger } from './leased/local-ledger'
import { customer, ending, handClock, memoryStorage, opening } from '../storage/folder'
import { neverMs } from '../support/pace'

interface ScenarioSettings {
  readonly kycCeiling?: string
  readonly serviceDayCapacity?: string
  /** It charges more than there is: a commit covers that, and another process learns of charges with their commit. */
  readonly isBeyondMoney?: true
}

/**
 * A test of the ledger as a text table: one step a line, what to do on the left and, behind two
 * spaces or more, what must come of it: words such as `ok`, `closed` or a code, then pairs such as
 * `balance 6.75`. Amounts are dollars. Steps:
 *
 *     account A1 [unverified] [day 5] [month 3] [key 2]     an account, its project and its key
 *     key A1b A1 [key 2]                                    another key of A1's project
 *     time 2026-11-20T23:59:00Z
 *     deposit A1 10 · adjust A1 -1                          by another process
 *     hold r1 A1 4 [possible 9] · grow r1 1 · lower r1 1 · settle r1 3 · release r1
 *     charge r1 3                                           as much of it as can be charged
 *     flush · funds A1 · spent A1 · held
 *
 * When the table is over the books are audited, and nothing is held but by what was left open.
 */
export function ledger(name: string, table: string, settings: ScenarioSettings = {}): void {
  for (const [kind, open] of ledgers)
    if (open !== openHandedLedger || settings.isBeyondMoney !== true)
      runTable(`${name}${kind}`, table, settings, open)
}

/** One process has all money at hand, or slices of it, or has another one decide. */
const ledgers = [
  ['', openLedger],
  [', leased', openLocalLeasedLedger],
  [', of another process', openHandedLedger],
] as const

function runTable(
  name: string,
  table: string,
  settings: ScenarioSettings,
  open: (parts: LedgerParts) => Ledger,
): void {
  test(name, async () => {
    const play = openPlay(settings, open)
    for (const line of table.split('\n').map((each) => each.trim())) {
      if (line === '') continue
      const [step = '', expected = ''] = line.split(/ {2,}/)
      const outcome = await play.step(step.split(' '))
      expect(`${step}  ${told(outcome, expected)}`.trim()).toBe(`${step}  ${expected}`.trim())
    }
    await play.end()
  })
}

type Outcome = { readonly word: string; readonly facts: Readonly<Record<string, unknown>> }

/** The outcome in the words that are expected: only the facts that the table asks for. */
function told({ word, facts }: Outcome, expected: string): string {
  const words = expected.split(' ')
  if (expected === '') return word === 'ok' ? '' : word
  const first = words[0] ?? ''
  const named = first in facts ? words : words.slice(1)
  const pairs: string[] = []
  for (let i = 0; i < named.length; i += 2) {
    const fact = facts[named[i] ?? '']
    pairs.push(named[i] ?? '', typeof fact === 'number' ? short(fact as NanoUsd) : String(fact))
  }
  return (named === words && word === 'ok' ? pairs : [word, ...pairs]).join(' ')
}

const short = (amount: NanoUsd): string => showUsd(amount).replace(/\.?0+$/, '')

function openPlay(settings: ScenarioSettings, open: (parts: LedgerParts) => Ledger) {
  const clock = handClock()
  const storage = memoryStorage(clock)
  const book = open({
    store: storage.ledger,
    settings: {
      kycCeiling: parseUsd(settings.kycCeiling ?? '2'),
      serviceDayCapacity:
        settings.serviceDayCapacity === undefined ? null : parseUsd(settings.serviceDayCapacity),
      flushMs: neverMs,
      pendingAfterMs: neverMs,
    },
    onFault: (fault) => {
      throw fault
    },
  })
  const callers = new Map<string, Caller>()
  const holds = new Map<string, { hold: Hold; caller: Caller }>()
  let references = 0

  const callerOf = (name = ''): Caller => found(callers.get(name), name)
  const holdOf = (name = '') => found(holds.get(name), name)
  const funds = async (caller: Caller) => ({ ...(await book.funds(caller.account.id)) })
  const move = async (kind: 'topup' | 'adjustment', name = '', usd = '') => {
    const account = callerOf(name).account.id
    const reference = `reference-${++references}`
    await storage.directory.deposit({ account, amount: parseUsd(usd), kind, reference })
    book.refresh()
    return { ...(await book.funds(account)) }
  }

  type Facts = Readonly<Record<string, unknown>>
  const steps: Record<string, (...words: string[]) => Promise<Facts>> = {
    async account(name = '', ...words) {
      callers.set(
        name,
        await customer(storage, {
          account: { verified: !words.includes('unverified'), dailyCap: limit(words, 'day') },
          project: { monthlyBudget: limit(words, 'month') },
          key: { spendLimit: limit(words, 'key') },
        }),
      )
      return {}
    },
    async key(name = '', of = '', ...words) {
      const { account, project } = callerOf(of)
      const made = {
        project: project.id,
        name,
        prefix: 'sk-test',
        spendLimit: limit(words, 'key'),
      }
      callers.set(name, { account, project, key: await storage.directory.createKey(made, name) })
      return {}
    },
    async time(to = '') {
      clock.set(to)
      return {}
    },
    deposit: (name, usd) => move('topup', name, usd),
    adjust: (name, usd) => move('adjustment', name, usd),
    async hold(id = '', name = '', usd = '', ...words) {
      const caller = callerOf(name)
      const open = opening(caller, clock.now(), id)
      const amount = parseUsd(usd)
      const possible = limit(words, 'possible') ?? amount
      const hold = await book.hold({ caller, amount, possible, opening: open })
      holds.set(id, { hold, caller })
      return { ...(await funds(caller)), metered: hold.metered }
    },
    async grow(id, usd = '') {
      const { hold, caller } = holdOf(id)
      hold.grow(parseUsd(usd))
      return { ...(await funds(caller)), amount: hold.amount }
    },
    async lower(id, usd = '') {
      const { hold, caller } = holdOf(id)
      hold.lower(parseUsd(usd))
      return { ...(await funds(caller)), amount: hold.amount }
    },
    async settle(id, usd = '') {
      const { hold, caller } = holdOf(id)
      hold.settle(ending(parseUsd(usd)))
      return funds(caller)
    },
    async charge(id, usd = '') {
      const { hold, caller } = holdOf(id)
      const cost = hold.chargeable(parseUsd(usd))
      hold.settle(ending(cost))
      return { ...(await funds(caller)), cost }
    },
    async release(id) {
      const { hold, caller } = holdOf(id)
      hold.release(ending(zeroUsd))
      return funds(caller)
    },
    async flush() {
      await book.flush()
      return {}
    },
    funds: async (name) => funds(callerOf(name)),
    spent: async (name) => ({ amount: await book.spentByKey(callerOf(name).key.id) }),
    held: async () => ({ amount: book.heldInAll() }),
  }

  return {
    async step([verb = '', ...words]: string[]): Promise<Outcome> {
      try {
        return { word: 'ok', facts: await found(steps[verb], verb)(...words) }
      } catch (thrown) {
        if (thrown instanceof GatewayError) {
          const { code, facts } = thrown as GatewayError
          return { word: code, facts: { ...facts } }
        }
        if (thrown instanceof Error && /closed/.test(thrown.message))
          return { word: 'closed', facts: {} }
        throw thrown
      }
    },
    async end() {
      const allFunds = () => Promise.all([...callers.values()].map(funds))
      const before = await allFunds()
      await book.flush(true)
      expect(await allFunds()).toEqual(before)
      for (const { balance, held, available } of before)
        expect(available).toBe(minus(balance, held))
      expect((await storage.audit()).differences).toEqual([])
      await book.close()
      await storage.close()
    },
  }
}

function limit(words: readonly string[], name: string): NanoUsd | null {
  const at = words.indexOf(name)
  return at < 0 ? null : parseUsd(words[at + 1] ?? '')
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the table has no ${name}`)
  return value
}
