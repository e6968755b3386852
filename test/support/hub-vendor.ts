import type { Capabilities, Traits } from '../../src/domain/model'
import type { Storage } from '../../src/business/data/storage'
import type { DialectName } from '../../src/gateway/vendors/openai/dialects'

export interface HubVendor {
  readonly kind: 'anthropic' | 'google' | 'openai'
  readonly url: string
  /** Of the kind that has several; the one that knows every format unless told otherwise. */
  readonly dialect?: DialectName
  /** The program's own HTTP unless told otherwise. */
  readonly transport?: 'own' | 'fetch'
  /** What calls of tools at the vendor cost, each, by the tool. */
  readonly tools?: Readonly<Record<string, string>>
  /** Name of the vendor; its kind unless told otherwise. */
  readonly name?: string
  /** Name of another vendor that is asked after this one. */
  readonly backup?: string
  /** Ten seconds unless told otherwise. */
  readonly timeoutMs?: number
  /** What its models are said to have, beside streams and tools. */
  readonly capabilities?: Capabilities
  /** Id of the model → what it accepts. */
  readonly models: Readonly<Record<string, Traits>>
}

/** Prices in dollars a million of all that such vendors count. */
export const hubPrices = {
  input: '3',
  cached_input: '0.3',
  cache_write_5m: '3.75',
  cache_write_1h: '6',
  output: '15',
} as const

/** Puts a vendor with a format of its own into the catalogue, and models of it. */
export const addHubVendor =
  ({
    kind,
    url,
    dialect,
    models,
    tools = {},
    name = kind,
    backup,
    timeoutMs = 10_000,
    transport = 'own',
    capabilities = {},
  }: HubVendor) =>
  async (storage: Storage): Promise<void> => {
    await storage.catalogue.saveVendor({
      name,
      kind,
      dialect: dialect ?? (kind === 'openai' ? 'openai' : 'generic'),
      baseUrl: url,
      credential: 'sk-vendor-secret',
      timeoutMs,
      transport,
      active: true,
      source: 'command',
    })
    for (const [id, traits] of Object.entries(models))
      await storage.catalogue.saveModel(
        {
          id,
          type: 'chat',
          name: id,
          ownedBy: kind,
          description: null,
          contextLength: 200_000,
          maxOutputTokens: 64_000,
          capabilities: { streaming: true, tools: true, ...capabilities },
          traits,
          isFree: false,
          status: 'active',
          routes: [name, ...(backup === undefined ? [] : [backup])].map((vendor, priority) => ({
            vendor,
            vendorModel: `${id}-vendor`,
            priority,
            weight: 1,
          })),
        },
        [
          ...Object.entries(hubPrices).map(([meter, price]) => ({
            meter: meter as keyof typeof hubPrices,
            unit: 'million' as const,
            price,
          })),
          ...Object.entries(tools).map(([tool, price]) => ({
            meter: `tool:${tool}` as const,
            unit: 'each' as const,
            price,
          })),
        ],
      )
  }

/** Such vendors on one stand-in. */
type HubVendors = readonly Omit<HubVendor, 'url'>[]

/** Puts several of them into the catalogue. */
export const addHubVendors =
  (url: string, vendors: HubVendors) =>
  async (storage: Storage): Promise<void> => {
    for (const vendor of vendors) await addHubVendor({ ...vendor, url })(storage)
  }

export const claudeVendor = { kind: 'anthropic', models: { claude: {} } } as const

/** Vendor of the chat format without deviations. */
export const plainVendor = {
  kind: 'openai',
  dialect: 'generic',
  name: 'plain',
  models: { plain: {} },
} as const

/** One vendor of each format of text, by the models `chat`, `responses`, `claude` and `gemini`. */
export const vendorsOfFormats: HubVendors = [
  { kind: 'openai', dialect: 'generic', models: { chat: {} } },
  { kind: 'openai', name: 'oai', models: { responses: { chat: 'responses' } } },
  claudeVendor,
  { kind: 'google', models: { gemini: {} } },
]
