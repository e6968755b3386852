import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { removeGroupRule, setGroupRule } from '../../src/business/accounts/group-rules'
import { typePrices } from '../../src/business/pricing/model-prices'
import type { ServiceParts } from '../../src/business/data/service-parts'
import { setVendorCost } from '../../src/business/catalogue/vendors'
import type { GroupId, RequestId } from '../../src/domain/ids'
import type { PriceLine } from '../../src/domain/model'
import type { RuleScope } from '../../src/domain/pricing-rules'
import { addModel, addVendor, ask, openTestGateway, type Customer } from '../support/gateway'
import { openStandIn, replies, usage } from '../support/stand-in'
import { roundsOf } from '../support/campaigns'

/* Everything is computed a second time here, in fractions of whole numbers: 10^-30 dollars. */

const one = 10n ** 30n

function fraction(text: string): bigint {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const value = BigInt(whole) * one + BigInt(decimals.padEnd(30, '0'))
  return sign === '-' ? -value : value
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** Rounded up to significant digits. */
function rounded(value: bigint, digits: number): bigint {
  const drop = value.toString().length - digits
  return drop <= 0 ? value : ceilDiv(value, 10n ** BigInt(drop)) * 10n ** BigInt(drop)
}

interface Prices {
  /** For a million. */
  readonly input: bigint
  readonly output: bigint
  /** For a call. */
  readonly request: bigint
}

interface Rule extends RuleScope {
  readonly percent: number
  readonly fee: string | null
  readonly digits: number | null
  readonly basis: 'highest' | 'first'
  readonly on: 'cost' | 'sale'
}

const vendors = ['alpha', 'beta'] as const
type Vendor = (typeof vendors)[number]
/** Models by their vendors, the preferred one first. */
const models = { solo: ['alpha'], pair: ['alpha', 'beta'], riap: ['beta', 'alpha'] } as const
type Model = keyof typeof models
const modelNames = Object.keys(models) as Model[]
const groups = [0, 1] as const

const scopes: readonly RuleScope[] = [
  { kind: 'everything', name: '' },
  { kind: 'type', name: 'chat' },
  { kind: 'owner', name: 'alpha' },
  ...vendors.map((name) => ({ kind: 'vendor', name }) as const),
  ...modelNames.map((name) => ({ kind: 'model', name }) as const),
]
const width = ['everything', 'vendor', 'owner', 'type', 'model']

const sameScope = (a: RuleScope, b: RuleScope) => a.kind === b.kind && a.name === b.name

const holds = ({ kind, name }: RuleScope, model: Model, vendor: Vendor): boolean =>
  ({
    everything: true,
    type: name === 'chat',
    owner: name === models[model][0],
    vendor: name === vendor,
    model: name === model,
  })[kind]

const narrowest = (rules: readonly Rule[]): Rule | undefined =>
  rules.toSorted(
    (a, b) =>
      width.indexOf(b.kind) - width.indexOf(a.kind) ||
      Number(a.basis === 'first') - Number(b.basis === 'first'),
  )[0]

function marked(prices: Prices, { percent, digits, fee }: Rule): Prices {
  const up = (value: bigint) => {
    const exact = (value * BigInt(100 + percent)) / 100n
    return digits === null ? exact : rounded(exact, digits)
  }
  return {
    input: up(prices.input),
    output: up(prices.output),
    request: up(prices.request) + (fee === null ? 0n : fraction(fee)),
  }
}

const highest = (a: bigint, b: bigint) => (a > b ? a : b)

/** What a group pays by its rules; null where none is of the model. */
function priceOf(
  model: Model,
  sale: Prices,
  costs: Readonly<Record<Vendor, Prices>>,
  rules: readonly Rule[],
): Prices | null {
  const ruled = models[model].map((vendor) => ({
    vendor,
    rule: narrowest(rules.filter((rule) => holds(rule, model, vendor))),
  }))
  const deciding = narrowest(ruled.flatMap(({ rule }) => rule ?? []))
  if (deciding === undefined) return null
  return (deciding.basis === 'first' ? ruled.slice(0, 1) : ruled)
    .map(({ vendor, rule }) =>
      rule === undefined ? sale : marked(rule.on === 'sale' ? sale : costs[vendor], rule),
    )
    .reduce((a, b) => ({
      input: highest(a.input, b.input),
      output: highest(a.output, b.output),
      request: highest(a.request, b.request),
    }))
}

/** Nano-dollars of a call: rates are rounded up at 10^-15 dollars, the sum once. */
function chargeOf({ input, output, request }: Prices, tokens: { in: number; out: number }): number {
  const rate = (price: bigint, units: bigint) => ceilDiv(price, units * 10n ** 15n)
  const sum =
    rate(input, 10n ** 6n) * BigInt(tokens.in) +
    rate(output, 10n ** 6n) * BigInt(tokens.out) +
    rate(request, 1n)
  return Number(ceilDiv(sum, 10n ** 6n))
}

const price = fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 1000).toFixed(3))
const lines = fc.record({ input: price, output: price })
const rule: fc.Arbitrary<Rule> = fc
  .record({
    scope: fc.constantFrom(...scopes),
    percent: fc.integer({ min: -90, max: 150 }),
    fee: fc.option(fc.constantFrom('0.001', '0.0000000005', '0.25')),
    digits: fc.option(fc.integer({ min: 1, max: 6 })),
    basis: fc.constantFrom('highest', 'first'),
    on: fc.constantFrom('cost', 'sale'),
  })
  .map(({ scope, ...each }) => ({ ...scope, ...each }))
const group = fc.constantFrom(...groups)

type Step =
  | { readonly do: 'rule'; readonly group: 0 | 1; readonly rule: Rule }
  | { readonly do: 'unrule'; readonly group: 0 | 1 }
  | { readonly do: 'price'; readonly model: Model; readonly lines: Typed }
  | { readonly do: 'cost'; readonly vendor: Vendor; readonly lines: Typed }
  | { readonly do: 'move'; readonly group: 0 | 1 | null }
  | { readonly do: 'call'; readonly model: Model; readonly in: number; readonly out: number }

interface Typed {
  readonly input: string
  readonly output: string
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rule' as const), group, rule }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unrule' as const), group }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('price' as const),
      model: fc.constantFrom(...modelNames),
      lines,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cost' as const),
      vendor: fc.constantFrom(...vendors),
      lines,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('move' as const), group: fc.constantFrom(0, 1, null) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      model: fc.constantFrom(...modelNames),
      in: fc.integer({ min: 1, max: 50_000 }),
      out: fc.integer({ min: 1, max: 16_000 }),
    }),
  },
)

const pricesOf = ({ input, output }: Typed): Prices => ({
  input: fraction(input),
  output: fraction(output),
  request: 0n,
})

const linesOf = ({ input, output }: Typed): PriceLine[] => [
  { meter: 'input', unit: 'million', price: input },
  { meter: 'output', unit: 'million', price: output },
]

/** What was decided, as this file knows it. */
class Books {
  readonly sale: Record<Model, Prices>
  readonly costs: Record<Vendor, Prices>
  readonly rules: Rule[][] = [[], []]
  /** What each group was decided to pay. */
  readonly decided = [new Map<Model, Prices>(), new Map<Model, Prices>()]
  member: 0 | 1 | null = null

  constructor(typed: Typed) {
    const first = pricesOf(typed)
    this.sale = { solo: first, pair: first, riap: first }
    this.costs = { alpha: first, beta: first }
  }

  #byRules(of: number, model: Model, rules = this.rules[of] ?? []): Prices | null {
    return priceOf(model, this.sale[model], this.costs, rules)
  }

  setRules(of: 0 | 1, rules: Rule[]): void {
    for (const model of modelNames) {
      const [before, after] = [this.#byRules(of, model), this.#byRules(of, model, rules)]
      const deciding = (each: readonly Rule[]) =>
        JSON.stringify(
          narrowest(
            models[model].flatMap(
              (vendor) => narrowest(each.filter((one) => holds(one, model, vendor))) ?? [],
            ),
          ) ?? null,
        )
      const isTouched =
        deciding(this.rules[of] ?? []) !== deciding(rules) ||
        before?.input !== after?.input ||
        before?.output !== after?.output ||
        before?.request !== after?.request
      if (!isTouched) continue
      if (after === null) this.decided[of]?.delete(model)
      else this.decided[of]?.set(model, after)
    }
    this.rules[of] = rules
  }

  setSale(model: Model, prices: Prices): void {
    this.sale[model] = prices
    for (const of of groups) {
      const made = this.#byRules(of, model)
      if (made === null) this.decided[of]?.delete(model)
      else this.decided[of]?.set(model, made)
    }
  }

  pays(model: Model): Prices {
    const own = this.member === null ? undefined : this.decided[this.member]?.get(model)
    return own ?? this.sale[model]
  }
}

type Running = Awaited<ReturnType<typeof running>>

async function running(vendorUrl: string) {
  const gateway = await openTestGateway({
    async prepare(storage) {
      for (const vendor of vendors) await addVendor(storage, vendor, vendorUrl)
      for (const model of modelNames) await addModel(storage, model, models[model])
    },
  })
  const ids: GroupId[] = []
  for (const of of groups) {
    const made = await gateway.storage.groups.add({ name: `group-${of}`, limits: {} })
    if (made !== null) ids.push(made.id)
  }
  const parts: ServiceParts = {
    storage: gateway.storage,
    discovery: { found: [], local: [] },
    sandbox: async () => true,
  }
  const customer: Customer = await gateway.customer({ usd: '100000' })
  return { gateway, parts, customer, ids }
}

async function act({ gateway, parts, customer, ids }: Running, books: Books, each: Step) {
  const idOf = (of: 0 | 1): GroupId => ids[of] ?? (0 as GroupId)
  switch (each.do) {
    case 'rule': {
      const { kind, name, percent, fee, digits, basis, on } = each.rule
      await setGroupRule(parts, idOf(each.group), {
        kind,
        name,
        digits,
        basis,
        markupPercent: String(percent),
        feePerCall: fee,
        markedUp: on,
      })
      const others = books.rules[each.group]?.filter((held) => !sameScope(held, each.rule)) ?? []
      books.setRules(each.group, [...others, each.rule])
      break
    }
    case 'unrule': {
      const [first, ...others] = books.rules[each.group] ?? []
      if (first === undefined) return
      await removeGroupRule(parts, idOf(each.group), { kind: first.kind, name: first.name })
      books.setRules(each.group, others)
      break
    }
    case 'price':
      await typePrices(parts, each.model, linesOf(each.lines), 'test')
      books.setSale(each.model, pricesOf(each.lines))
      break
    case 'cost': {
      const { vendor, lines: typed } = each
      const cost = { vendor, vendorModel: 'vendor-model', lines: linesOf(typed) }
      await setVendorCost(parts, cost, 'test')
      books.costs[vendor] = pricesOf(typed)
      break
    }
    case 'move':
      await gateway.storage.directory.setAccount(customer.account, {
        group: each.group === null ? null : idOf(each.group),
      })
      books.member = each.group
      break
    case 'call':
      return
  }
  await gateway.gateway.reloadCatalogue()
  gateway.gateway.changed()
}

test('a call is charged what the group’s rules say, computed apart', async () => {
  const vendor = openStandIn()
  try {
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.array(step, { minLength: 12, maxLength: 30 }),
        async (typed, steps) => {
          const service = await running(vendor.url)
          const { gateway, customer } = service
          const books = new Books(typed)
          try {
            const first: Step[] = [
              ...vendors.map((name) => ({ do: 'cost', vendor: name, lines: typed }) as const),
              ...modelNames.map((model) => ({ do: 'price', model, lines: typed }) as const),
            ]
            for (const each of first) await act(service, books, each)
            for (const each of [...steps, ...lastCalls]) {
              await act(service, books, each)
              if (each.do !== 'call') continue
              vendor.play(
                replies('Hello', {
                  ...usage,
                  prompt_tokens: each.in,
                  completion_tokens: each.out,
                  total_tokens: each.in + each.out,
                }),
              )
              const answer = await gateway.post(ask(each.model, { max_tokens: 16_384 }), {
                authorization: `Bearer ${customer.key}`,
              })
              expect(answer.status).toBe(200)
              const { id, usage: told } = (await answer.json()) as {
                id: RequestId
                usage: { prompt_tokens: number; completion_tokens: number }
              }
              await gateway.gateway.parts.ledger.flush()
              const call = await gateway.storage.reports.call(id, null)
              const tokens = { in: told.prompt_tokens, out: told.completion_tokens }
              expect(call?.cost as number).toBe(chargeOf(books.pays(each.model), tokens))
            }
            expect((await gateway.audit()).differences).toEqual([])
          } finally {
            await gateway.close()
          }
        },
      ),
      { numRuns: roundsOf('group prices') },
    )
  } finally {
    await vendor.close()
  }
})

/** One of each model in each group, whatever came before. */
const lastCalls: readonly Step[] = [0 as const, 1 as const, null].flatMap((of): Step[] => [
  { do: 'move', group: of },
  ...modelNames.map((model): Step => ({ do: 'call', model, in: 777, out: 333 })),
])
