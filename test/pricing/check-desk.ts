import { addVendor } from '../../src/business/catalogue/vendors'
import type { PriceCheck } from '../../src/business/pricing/price-check'
import { pricedCatalogue } from '../../src/business/pricing/priced-catalogue'
import { catalogueOf } from '../../src/business/data/service-parts'
import { checkPrices } from '../../src/server/price-checks/price-check'
import { openSourceWays, type SourceWays } from '../../src/server/price-checks/price-sources'
import type { VendorConfig } from '../../src/domain/model'
import { pricingView } from '../../src/gateway/metering/pricing-view'
import type { PricePolicy } from '../../src/gateway/settings/price-settings'
import { DocumentRefused } from '../../src/gateway/outbound/fetch-document'
import { handClock, memoryStorage } from '../storage/folder'

export const by = 'command:ali'

/** Dollars for a million tokens, by model. */
type ModelPrices = Readonly<Record<string, { readonly input: number; readonly output: number }>>

/** In the form of the first source; numbers as JSON writes them. */
export const litellmMap = (prices: ModelPrices, more: object = {}): string =>
  JSON.stringify({
    ...Object.fromEntries(
      Object.entries(prices).map(([model, { input, output }]) => [
        model,
        {
          litellm_provider: 'openai',
          mode: 'chat',
          input_cost_per_token: Number((input / 1e6).toPrecision(12)),
          output_cost_per_token: Number((output / 1e6).toPrecision(12)),
        },
      ]),
    ),
    ...more,
  })

/** The same in the form of the second. */
export const modelsDevDocument = (prices: ModelPrices): string => {
  const models: Record<string, object> = {}
  for (const [id, cost] of Object.entries(prices)) models[id] = { id, name: id, cost }
  return JSON.stringify({ openai: { id: 'openai', models } })
}

/** What three models are billed by, as on record when the desk opens. */
export const publicPrices = {
  'gpt-4o': { input: 2.5, output: 10 },
  'gpt-4o-mini': { input: 0.15, output: 0.6 },
  'gpt-4': { input: 30, output: 60 },
} as const

export const openaiVendor: VendorConfig = {
  name: 'main',
  kind: 'openai',
  dialect: 'openai',
  baseUrl: 'http://127.0.0.1:9/v1',
  credential: 'sk-vendor',
  timeoutMs: 1000,
  transport: 'own',
  active: true,
  source: 'command',
}

/** An operator with one vendor, and sources that say what a test writes. */
export async function openCheckDesk(marginPercent = '20') {
  const clock = handClock()
  const storage = memoryStorage(clock)
  const parts = { storage, discovery: { found: [], local: [] }, sandbox: async () => false }
  await addVendor(parts, openaiVendor, { marginPercent, by })
  const documents = new Map<string, string>()
  const ways: SourceWays = {
    ...openSourceWays(),
    fetchDocument(url) {
      const text = documents.get(url)
      return text === undefined
        ? Promise.reject(new DocumentRefused('its host answered 404', 404))
        : Promise.resolve(new TextEncoder().encode(text))
    },
  }
  return {
    clock,
    storage,
    parts,
    documents,
    /** @param sources all that are set, by their addresses */
    check: (policy: PricePolicy = 'off', sources = [...documents.keys()]): Promise<PriceCheck> =>
      checkPrices(parts, { sources, whole: true, policy, ways, clock }),
    /** Dollars for a million tokens in and out, as a model is sold. */
    async sold(model: string): Promise<string> {
      const { entries } = await pricedCatalogue(await catalogueOf(parts))
      const card = entries.find(({ id }) => id === model)?.card
      if (card === undefined || card === null) return 'not sold'
      const view = pricingView(card)
      return `${view['input_per_million']} ${view['output_per_million']}`
    },
    status: async (model: string) =>
      (await pricedCatalogue(await catalogueOf(parts))).entries.find(({ id }) => id === model)
        ?.status,
  }
}

export type CheckDesk = Awaited<ReturnType<typeof openCheckDesk>>
