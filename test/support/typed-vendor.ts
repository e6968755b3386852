import type { Capabilities, ModelType, PriceLine, Traits } from '../../src/domain/model'
import type { Storage } from '../../src/business/data/storage'

export interface TypedVendor {
  /** Of the vendor. */
  readonly name: string
  readonly kind?: 'openai' | 'google' | 'elevenlabs' | 'deepgram'
  /** Of the reference kind; the plainest unless told otherwise. */
  readonly dialect?: string
  readonly url: string
  readonly model: {
    readonly id: string
    readonly type: ModelType
    /** The vendor's name of it. */
    readonly vendorModel: string
    readonly lines: readonly PriceLine[]
    readonly capabilities?: Capabilities
    readonly traits?: Traits
    /** Vendors that are asked when this one cannot be. */
    readonly elsewhere?: readonly string[]
  }
}

/** Puts a vendor and its one model into the catalogue. */
export async function addTypedVendor(
  { catalogue }: Pick<Storage, 'catalogue'>,
  { name, kind = 'openai', dialect = 'generic', url, model }: TypedVendor,
): Promise<void> {
  await catalogue.saveVendor({
    name,
    kind,
    dialect,
    baseUrl: url,
    credential: 'sk-vendor-secret',
    timeoutMs: 10_000,
    transport: 'own',
    active: true,
    source: 'command',
  })
  const { id, type, vendorModel, lines, capabilities = {}, traits = {}, elsewhere = [] } = model
  await catalogue.saveModel(
    {
      id,
      type,
      name: id,
      ownedBy: name,
      description: null,
      contextLength: null,
      maxOutputTokens: null,
      capabilities,
      traits,
      isFree: false,
      status: 'active',
      routes: [name, ...elsewhere].map((vendor, priority) => ({
        vendor,
        vendorModel,
        priority,
        weight: 1,
      })),
    },
    lines,
  )
}
