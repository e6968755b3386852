import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { priceByDefault, typePrices } from '../../src/business/pricing/model-prices'
import {
  approvePrices,
  pendingPrices,
  rejectPrices,
} from '../../src/business/pricing/proposal-decisions'
import { settlePrices } from '../../src/business/pricing/priced-catalogue'
import { removePricingRule, setPricingRule } from '../../src/business/pricing/rule-changes'
import { catalogueOf, type ServiceParts } from '../../src/business/data/service-parts'
import { addVendor, removeVendor, setVendor } from '../../src/business/catalogue/vendors'
import { seedModels } from '../../src/gateway/catalogue/seed'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine, VendorConfig } from '../../src/domain/model'
import { pricingView } from '../../src/gateway/metering/pricing-view'
import { handClock, type HandClock } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { roundsOf } from '../support/campaigns'

const seed = seedModels('deepseek')
const [first] = seed
const routed = first?.id ?? ''
const names = ['alpha', 'beta', 'gamma'] as const

type Step =
  | { readonly do: 'add' | 'remove' | 'rename' | 'toggle' | 'route'; readonly who: number }
  | { readonly do: 'margin' | 'upgrade'; readonly who: number; readonly percent: number }
  | { readonly do: 'everything' | 'type'; readonly percent: number }
  | { readonly do: 'approve' | 'later' | 'reject' | 'restart' | 'wait' | 'default' | 'unrule' }

const who = fc.nat(2)
const percent = fc.integer({ min: -30, max: 60 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('add', 'remove', 'rename', 'toggle', 'route'), who }),
  fc.record({ do: fc.constantFrom('margin', 'upgrade'), who, percent }),
  fc.record({ do: fc.constantFrom('everything', 'type'), percent }),
  fc.record({
    do: fc.constantFrom('approve', 'later', 'reject', 'restart', 'wait', 'default', 'unrule'),
  }),
)

const vendorNamed = (name: string): VendorConfig => ({
  name,
  kind: 'openai',
  dialect: 'deepseek',
  baseUrl: `http://${name}.invalid/v1`,
  credential: null,
  timeoutMs: 1000,
  transport: 'own',
  active: true,
  source: 'command',
})

/** An operator who does one thing after the other, and remembers what was decided. */
class Operator {
  readonly gateway: TestGateway
  readonly #clock: HandClock
  readonly #parts: ServiceParts
  /** What each model was decided to be sold for, from when on. */
  readonly #decided = new Map<string, { from: Ms; pricing: Record<string, string> }[]>()
  #upgrades = 0

  constructor(clock: HandClock, gateway: TestGateway) {
    this.#clock = clock
    this.gateway = gateway
    this.#parts = {
      storage: gateway.storage,
      discovery: { found: [], local: [] },
      sandbox: async () => true,
    }
  }

  async act(action: Step): Promise<void> {
    const before = await this.#vendors()
    const name = 'who' in action ? (names[action.who] ?? '') : ''
    const vendor = before.find((each) => each.name === name)
    const by = 'test'
    switch (action.do) {
      case 'add':
        if (vendor === undefined)
          await addVendor(this.#parts, vendorNamed(name), { marginPercent: null, by })
        break
      case 'remove':
        if (vendor !== undefined) await removeVendor(this.#parts, name)
        break
      case 'toggle':
        if (vendor !== undefined)
          await setVendor(this.#parts, name, { active: !vendor.active, credential: 'new' }, by)
        break
      case 'rename': {
        const free = names.find((each) => !before.some((known) => known.name === each))
        if (vendor !== undefined && free !== undefined)
          await setVendor(this.#parts, name, { name: free }, by)
        break
      }
      case 'route':
        if (vendor !== undefined) await this.#route(name)
        break
      case 'margin':
        await this.#rule(() =>
          setPricingRule(
            this.#parts,
            { kind: 'vendor', name, markupPercent: String(action.percent) },
            by,
          ),
        )
        break
      case 'everything':
      case 'type':
        await this.#rule(() =>
          setPricingRule(
            this.#parts,
            {
              kind: action.do,
              name: action.do === 'type' ? 'chat' : '',
              markupPercent: String(action.percent),
            },
            by,
          ),
        )
        break
      case 'unrule':
        if ((await this.#parts.storage.prices.state()).rules.some(({ kind }) => kind === 'type'))
          await this.#rule(() => removePricingRule(this.#parts, { kind: 'type', name: 'chat' }, by))
        break
      case 'upgrade':
        await this.#upgrade(name, action.percent)
        break
      case 'approve':
      case 'later': {
        const from = (this.#clock.now() + (action.do === 'later' ? 60_000 : 0)) as Ms
        for (const approved of await approvePrices(this.#parts, 'all', { from, by }))
          if (approved.kind === 'sale') this.#decide(approved.model, approved.lines, from)
        break
      }
      case 'reject':
        await rejectPrices(this.#parts, 'all', by)
        expect(await pendingPrices(this.#parts)).toEqual([])
        break
      case 'wait':
        this.#clock.set(this.#clock.now() + 90_000)
        break
      case 'default':
        await this.#typed()
        break
      case 'restart':
        break
    }
    this.#clock.set(this.#clock.now() + 1)
    if (action.do === 'restart') await settlePrices(await catalogueOf(this.#parts), 'restart')
    if (action.do !== 'wait') await this.gateway.gateway.reloadCatalogue()
    await this.check()
  }

  /** `GET /models` shows what was decided; what nobody decided on was not sold before. */
  async check(): Promise<void> {
    const answer = await fetch(`${this.gateway.url}/models`)
    const { data } = (await answer.json()) as {
      data: { id: string; pricing: Record<string, string> }[]
    }
    for (const { id, pricing } of data) {
      if (id.startsWith('sandbox/')) continue
      const decided = this.#decided.get(id)
      if (decided === undefined) this.#decided.set(id, [{ from: 0 as Ms, pricing }])
      else {
        const held = decided
          .filter(({ from }) => from <= this.#clock.now())
          .reduce((a, b) => (b.from >= a.from ? b : a))
        expect({ id, pricing }).toEqual({ id, pricing: held.pricing })
      }
    }
  }

  #vendors() {
    return this.#parts.storage.catalogue.vendors()
  }

  #decide(model: string, lines: readonly PriceLine[], from = this.#clock.now()): void {
    const pricing = pricingView({ version: '', validFrom: from, lines })
    const decided = this.#decided.get(model) ?? []
    this.#decided.set(model, [...decided, { from, pricing }])
  }

  async #rule(set: () => Promise<{ readonly models: readonly string[] }>): Promise<void> {
    const { models } = await set()
    const { sale } = await this.#parts.storage.prices.state()
    for (const model of models) this.#decide(model, sale.get(model)?.at(-1)?.lines ?? [])
  }

  /** A route of the operator's own, added or taken back. */
  async #route(vendor: string): Promise<void> {
    const { catalogue } = this.#parts.storage
    const kept = (await catalogue.models()).find(({ id }) => id === routed)
    const entry = this.gateway.gateway.parts.catalogue.find(routed)?.model
    if (entry === undefined) return
    const { card: _, created: __, ...model } = entry
    const routes = [{ vendor, vendorModel: first?.vendorModel ?? '', priority: 0, weight: 1 }]
    await catalogue.saveModel(
      { ...model, status: 'active', routes: kept === undefined ? routes : [] },
      [],
    )
  }

  async #upgrade(vendor: string, more: number): Promise<void> {
    const source = `seed ${2027 + this.#upgrades++}-01-01`
    await this.#parts.storage.prices.change(() => ({
      costs: seed.map(({ vendorModel, lines }) => ({
        vendor,
        vendorModel,
        source,
        lines: lines.map((line) => ({ ...line, price: String(Number(line.price) + more + 31) })),
      })),
    }))
  }

  async #typed(): Promise<void> {
    const entry = this.gateway.gateway.parts.catalogue.find(routed)
    if (entry?.offer === null || entry === null) return
    const { origin } = (await this.#parts.storage.prices.state()).sale.get(routed)?.at(-1) ?? {}
    if (origin === 'rule') {
      const lines = entry.offer.card.lines.map((line) => ({ ...line, price: '7' }))
      await typePrices(this.#parts, routed, lines, 'test')
    } else await priceByDefault(this.#parts, routed, 'test')
    const { sale } = await this.#parts.storage.prices.state()
    this.#decide(routed, sale.get(routed)?.at(-1)?.lines ?? [])
  }
}

test('whatever happens to vendors, routes and costs, models are sold for what was decided', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const clock = handClock()
      const operator = new Operator(clock, await openTestGateway({ clock }))
      try {
        await operator.act({ do: 'add', who: 0 })
        for (const each of steps) await operator.act(each)
      } finally {
        await operator.gateway.close()
      }
    }),
    { numRuns: roundsOf('price decisions') },
  )
})
