import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Caller } from '../../src/domain/caller'
import { dayMs, type Ms } from '../../src/domain/clock'
import type { RequestId } from '../../src/domain/ids'
import type { PriceLine } from '../../src/domain/model'
import { nanoUsd } from '../../src/domain/money'
import type { CallEnding, CallOpening } from '../../src/domain/record'
import { profitGroups, serviceUsageGroups } from '../../src/domain/reports/report'
import type { Batch } from '../../src/ledger/store'
import { compileCard, type CompiledCard } from '../../src/gateway/metering/price-card'
import { price, vendorPrice } from '../../src/gateway/metering/price'
import type { Storage } from '../../src/business/data/storage'
import { customer, noBatch, testFolder } from '../storage/folder'
import { roundsOf } from '../support/campaigns'

const calls = roundsOf('summed calls')
const minuteMs = 60_000
/** Zones without summer time: hours ahead of UTC. */
const zones = { 'Asia/Tehran': 3.5, UTC: 0, 'Asia/Kabul': 4.5 } as const
type Zone = keyof typeof zones
const vendors = ['acme', 'reserve'] as const
const models = ['acme/small', 'acme/large', 'house/echo', 'house/new'] as const

/** Numbers from 0 to below `below`, the same of one seed. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A card as the program prices by it, and as digits: nano-dollars for a million units. */
interface Card {
  readonly compiled: CompiledCard
  readonly rates: Readonly<Record<'input' | 'cached_input' | 'output', bigint>>
}

function randomCard(roll: (below: number) => number): Card {
  const meters = ['input', 'cached_input', 'output'] as const
  const rates = meters.map((meter) => [meter, BigInt(roll(90_000_000_00))] as const)
  const lines = rates.map(([meter, rate]): PriceLine => {
    const digits = rate.toString().padStart(10, '0')
    return { meter, unit: 'million', price: `${digits.slice(0, -9)}.${digits.slice(-9)}` }
  })
  return {
    compiled: compileCard({ version: '1', validFrom: 0 as Ms, lines }),
    rates: Object.fromEntries(rates) as Card['rates'],
  }
}

type Counts = Readonly<Record<'input' | 'cached_input' | 'output', number>>

/** Exact, rounded up once. */
function costByHand(counts: Counts, { rates }: Card): bigint {
  const million = 1_000_000n
  const sum = (Object.keys(rates) as (keyof Counts)[]).reduce(
    (all, meter) => all + BigInt(counts[meter]) * rates[meter],
    0n,
  )
  return (sum + million - 1n) / million
}

/** Rows of a table of sums, by their keys: what they must come to. */
class Rows {
  readonly #rows = new Map<string, bigint[]>()

  add(key: readonly (string | number)[], amounts: readonly bigint[]): void {
    const name = key.join(' ')
    const row = this.#rows.get(name)
    if (row === undefined) this.#rows.set(name, [...amounts])
    else for (const [at, amount] of amounts.entries()) row[at] = (row[at] ?? 0n) + amount
  }

  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#rows].map(([name, row]) => [name, row.join()]))
  }
}

const usageSums = ['requests', 'errors', 'input_tokens', 'output_tokens', 'cached_tokens', 'cost']
const profitSums = ['calls', 'charged', 'refunded', 'vendor_cost', 'uncosted']
/** Every table of sums: the columns of its key, and those that are added up. */
const tables = {
  usage_days: [['project', 'day', 'key', 'model'], usageSums],
  usage_zone_days: [['project', 'day', 'key', 'model'], usageSums],
  usage_zone_model_days: [['project', 'day', 'model'], usageSums],
  usage_zone_key_days: [['project', 'key', 'day'], usageSums],
  usage_months: [['project', 'month', 'key', 'model'], usageSums],
  usage_model_days: [['project', 'day', 'model'], usageSums],
  usage_service_days: [['day', 'model'], usageSums],
  usage_key_months: [['month', 'project', 'key'], usageSums],
  profit_days: [['day', 'model', 'vendor'], profitSums],
  profit_months: [['month', 'model', 'vendor'], profitSums],
  profit_accounts: [['day', 'account'], profitSums],
  profit_account_months: [['month', 'account'], profitSums],
  spent: [['kind', 'id', 'period'], ['amount']],
} as const satisfies Record<string, readonly [readonly string[], readonly string[]]>
type Table = keyof typeof tables

/** A call, as somebody with paper and pencil writes it down. */
interface Line {
  readonly opening: CallOpening
  readonly zoneDay: number
  readonly vendor: string | null
  readonly isError: boolean
  readonly counts: Counts
  readonly cost: bigint
  readonly vendorCost: bigint | null
  /** Who billed it without an answer. */
  readonly biller: string | null
}

const nothing: Counts = { input: 0, cached_input: 0, output: 0 }
const monthOf = (day: number): number => {
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / dayMs
}
const isoDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Books beside those of the program. */
class PaperBooks {
  readonly rows = Object.fromEntries(
    Object.keys(tables).map((name) => [name, new Rows()]),
  ) as Record<Table, Rows>
  cost = 0n
  vendorCost = 0n
  readonly balances = new Map<number, bigint>()

  pay(account: number, amount: bigint): void {
    this.balances.set(account, (this.balances.get(account) ?? 0n) + amount)
  }

  call(line: Line): void {
    const { counts, cost, vendorCost, vendor } = line
    this.#count(line, [
      1n,
      line.isError ? 1n : 0n,
      BigInt(counts.input + counts.cached_input),
      BigInt(counts.output),
      BigInt(counts.cached_input),
      cost,
    ])
    const uncosted = vendor !== null && vendorCost === null ? 1n : 0n
    this.#earn(line, [1n, cost, 0n, vendorCost ?? 0n, uncosted])
    this.#charge(line, cost)
    this.vendorCost += vendorCost ?? 0n
  }

  refund(line: Line, amount: bigint): void {
    this.#count(line, [0n, 0n, 0n, 0n, 0n, -amount])
    this.#earn(line, [0n, 0n, amount, 0n, 0n])
    this.#charge(line, -amount)
  }

  #count({ opening, zoneDay }: Line, sums: readonly bigint[]): void {
    const { project, key, model, created } = opening
    const day = Math.floor(created / dayMs)
    const { rows } = this
    rows.usage_days.add([project, day, key, model], sums)
    rows.usage_zone_days.add([project, zoneDay, key, model], sums)
    rows.usage_zone_model_days.add([project, zoneDay, model], sums)
    rows.usage_zone_key_days.add([project, key, zoneDay], sums)
    rows.usage_months.add([project, monthOf(day), key, model], sums)
    rows.usage_model_days.add([project, day, model], sums)
    rows.usage_service_days.add([day, model], sums)
    rows.usage_key_months.add([monthOf(day), project, key], sums)
  }

  #earn({ opening, vendor, biller }: Line, sums: readonly bigint[]): void {
    const { account, model, created } = opening
    const day = Math.floor(created / dayMs)
    const who = vendor ?? biller ?? ''
    const { rows } = this
    rows.profit_days.add([day, model, who], sums)
    rows.profit_months.add([monthOf(day), model, who], sums)
    rows.profit_accounts.add([day, account], sums)
    rows.profit_account_months.add([monthOf(day), account], sums)
  }

  #charge({ opening }: Line, amount: bigint): void {
    if (amount === 0n) return
    for (const { kind, id, period } of scopesOf(opening))
      this.rows.spent.add([kind, id, period], [amount])
    this.pay(opening.account, -amount)
    this.cost += amount
  }
}

const scopesOf = ({ account, project, key, created }: CallOpening) => {
  const day = isoDay(Math.floor(created / dayMs))
  return [
    { kind: 'key', id: key, period: '' },
    { kind: 'project-month', id: project, period: day.slice(0, 7) },
    { kind: 'account', id: account, period: '' },
    { kind: 'account-day', id: account, period: day },
    { kind: 'service-day', id: 0, period: day },
  ] as const
}

/** Three accounts with two projects each, and three keys in each of those. */
async function makeCallers(storage: Storage): Promise<readonly Caller[]> {
  const callers: Caller[] = []
  for (let at = 0; at < 3; at++) {
    const first = await customer(storage, { usd: '1000000' })
    const projects = [
      first.project,
      await storage.directory.createProject({ account: first.account.id, name: 'other' }),
    ]
    for (const project of projects)
      for (let key = 0; key < 3; key++)
        callers.push({
          account: first.account,
          project,
          key: await storage.directory.createKey(
            { project: project.id, name: 'key', prefix: 'sk-test' },
            `hash-${at}-${project.id}-${key}`,
          ),
        })
  }
  return callers
}

/** What a vendor answered, priced by the program, and beside it by hand. */
function endingOf(
  opening: CallOpening,
  zoneDay: number,
  roll: (below: number) => number,
  sale: readonly Card[],
  cost: readonly Card[],
): { readonly line: Line; readonly ending: CallEnding } {
  const fate = roll(20)
  const vendorAt = roll(2)
  const vendor = fate === 0 ? null : (vendors[vendorAt] ?? null)
  const counts =
    fate < 2 ? nothing : { input: roll(9000), cached_input: roll(3000), output: roll(2000) }
  const [saleCard, costCard] = [sale[models.indexOf(opening.model as never)], cost[vendorAt]]
  if (saleCard === undefined || costCard === undefined) throw new Error('no card')
  const units = counts === nothing ? {} : counts
  const amount = price(units, saleCard.compiled)
  // Nobody knows what some cost; some are billed although nothing was answered.
  const isCosted = fate === 0 ? roll(2) === 0 : roll(10) > 0
  const billed = fate === 0 ? { input: roll(500), cached_input: 0, output: 0 } : counts
  const vendorAmount = vendorPrice(billed, costCard.compiled)?.amount ?? null
  const biller = vendors[vendorAt] ?? ''
  const status = fate < 2 ? 'error' : fate === 2 ? 'cancelled' : 'success'
  const ending: CallEnding = {
    status,
    usage: { units, reasoning: 0, estimated: false },
    cost: amount,
    vendor,
    vendorModel: vendor === null ? null : 'm',
    error: status === 'error' ? 'upstream_error' : null,
    latencyMs: 10,
    firstByteMs: 5,
    ...(isCosted && vendorAmount !== null
      ? {
          vendorCost: {
            amount: vendorAmount,
            card: vendorAt + 1,
            vendor: biller,
            estimated: vendor === null,
          },
        }
      : {}),
  }
  return {
    ending,
    line: {
      opening,
      zoneDay,
      vendor,
      biller: isCosted ? biller : null,
      isError: status === 'error',
      counts,
      cost: costByHand(counts, saleCard),
      vendorCost: isCosted ? costByHand(billed, costCard) : null,
    },
  }
}

/** Sums of reports at this moment, whatever waits to be in the tables. */
async function reportsCome(to: PaperBooks, { reports, profits }: Storage): Promise<void> {
  const all = { fromDay: 0, toDay: 99_999 }
  for (const group of serviceUsageGroups) {
    const sums = await reports.serviceUsage({ ...all, account: null, group })
    expect(sums.reduce((sum, { cost }) => sum + BigInt(cost), 0n)).toBe(to.cost)
  }
  for (const group of profitGroups) {
    const sums = await profits.profit({ ...all, group })
    const total = (of: (sum: (typeof sums)[number]) => number) =>
      sums.reduce((all, sum) => all + BigInt(of(sum)), 0n)
    expect(total(({ charged, refunded }) => charged - refunded)).toBe(to.cost)
    expect(total(({ vendorCost }) => vendorCost)).toBe(to.vendorCost)
  }
}

test(`${calls} random calls come to what paper and pencil say, in every table and report`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), async (seed) => {
      const roll = dice(seed)
      using folder = testFolder()
      folder.clock.set('2026-01-20T00:00:00Z')
      let storage = folder.open()
      let zone: Zone = 'Asia/Tehran'
      storage.countDaysIn(zone)
      const callers = await makeCallers(storage)
      await storage.prices.change(() => ({
        costs: vendors.map((vendor) => ({ vendor, vendorModel: 'm', source: 'test', lines: [] })),
      }))
      const byCommand = folder.open()
      const [sale, cost] = [models, vendors].map((names) => names.map(() => randomCard(roll)))
      if (sale === undefined || cost === undefined) throw new Error('no cards')
      const books = new PaperBooks()
      for (const { account } of callers) books.balances.set(account.id, 10n ** 15n)

      const count = { made: 0 }
      const open = (): { readonly opening: CallOpening; readonly zoneDay: number } => {
        const caller = callers[roll(callers.length)]
        if (caller === undefined) throw new Error('nobody')
        folder.clock.set(folder.clock.now() + roll(2 * minuteMs))
        const created = folder.clock.now()
        const id = `req_${created.toString(16).padStart(12, '0')}${(++count.made).toString(16).padStart(20, '0')}`
        return {
          opening: {
            id: id as RequestId,
            account: caller.account.id,
            project: caller.project.id,
            key: caller.key.id,
            endpoint: 'chat',
            model: models[roll(models.length)] ?? '',
            streamed: false,
            address: '::1',
            created,
            cardVersion: '1',
          },
          zoneDay: Math.floor((created + zones[zone] * 60 * minuteMs) / dayMs),
        }
      }
      const running: ReturnType<typeof open>[] = []
      let lines: Line[] = []
      while (count.made < calls) {
        const ended: Batch['ended'][number][] = []
        const end = ({ opening, zoneDay }: ReturnType<typeof open>, wasOpened: boolean) => {
          const { line, ending } = endingOf(opening, zoneDay, roll, sale, cost)
          ended.push({ opening, ending, held: ending.cost, wasOpened })
          books.call(line)
          if (line.cost > 0n && lines.length < 200) lines.push(line)
        }
        const size = 1 + roll(600)
        for (const call of running.splice(0, roll(running.length + 1))) end(call, true)
        const opened = Array.from({ length: roll(20) }, open)
        for (let at = 0; at < size; at++) end(open(), false)
        running.push(...opened)
        const spent = ended.flatMap(({ opening, ending: { cost: amount } }) =>
          amount === 0 ? [] : scopesOf(opening).map((scope) => ({ scope, amount })),
        )
        await storage.ledger.commit(
          { ...noBatch, opened: opened.map(({ opening }) => opening), ended, spent },
          false,
        )
        switch (roll(12)) {
          case 0:
            await storage.ledger.sumUp(1 + roll(500))
            break
          case 1:
            for (const line of lines.splice(0, 1 + roll(3))) {
              const amount = 1n + BigInt(roll(Number(line.cost)))
              const { id, account, project, key, model, created } = line.opening
              await byCommand.refunds.refund({
                request: id,
                account,
                project,
                key,
                model,
                opened: created,
                amount: nanoUsd(Number(amount)),
                note: 'test',
                by: 'test',
              })
              books.refund(line, amount)
            }
            lines = []
            break
          case 2: {
            const account = callers[roll(callers.length)]?.account.id ?? expect.unreachable()
            const amount = nanoUsd(1 + roll(1_000_000))
            const kind = 'adjustment' as const
            await byCommand.directory.deposit({
              account,
              amount,
              kind,
              reference: `a${count.made}`,
            })
            books.pay(account, BigInt(amount))
            break
          }
          case 3:
            // Killed: what waited in memory is gone, and what ran is an error.
            storage = folder.open()
            storage.countDaysIn(zone)
            if (roll(2) === 0) await reportsCome(books, storage)
            await storage.ledger.recover()
            for (const { opening, zoneDay } of running)
              books.call({
                opening,
                zoneDay,
                vendor: null,
                biller: null,
                isError: true,
                counts: nothing,
                cost: 0n,
                vendorCost: null,
              })
            running.length = 0
            break
          case 4:
            folder.clock.set(folder.clock.now() + 1000)
            zone = (Object.keys(zones) as Zone[])[roll(3)] ?? 'UTC'
            storage.countDaysIn(zone)
            folder.clock.set(folder.clock.now() + 1000)
        }
      }
      await reportsCome(books, byCommand)
      await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
      await reportsCome(books, byCommand)
      const raw = folder.raw()
      for (const [table, [keys, sums]] of Object.entries(tables) as [
        Table,
        (typeof tables)[Table],
      ][]) {
        const kept = new Rows()
        const columns = [...keys, ...sums]
        for (const row of raw
          .prepare<unknown, []>(`SELECT ${columns.join()} FROM ${table}`)
          .safeIntegers(true)
          .values() as (string | bigint)[][])
          kept.add(row.slice(0, keys.length).map(String), row.slice(keys.length) as bigint[])
        expect({ table, rows: kept.all }).toEqual({ table, rows: books.rows[table].all })
      }
      const records = raw
        .prepare<Record<'calls' | 'vendor' | 'cost', bigint>, []>(
          `SELECT count(*) AS calls, sum(vendor_cost) AS vendor, sum(cost) AS cost FROM requests WHERE status <> 'pending'`,
        )
        .safeIntegers(true)
        .get()
      expect(records?.vendor).toBe(books.vendorCost)
      for (const [account, balance] of books.balances)
        expect(BigInt((await storage.directory.findAccount(account as never))?.balance ?? -1)).toBe(
          balance,
        )
      expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
    }),
    { numRuns: 1 },
  )
})
