import type { Ms } from '../../src/domain/clock'
import type { ModelEntry, PriceLine, Route, VendorConfig } from '../../src/domain/model'

export const usualLines: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '2' },
  { meter: 'output', unit: 'million', price: '8' },
]

export const route = (vendor: string, vendorModel = 'm', more: Partial<Route> = {}): Route => ({
  vendor,
  vendorModel,
  priority: 0,
  weight: 1,
  ...more,
})

/** A chat model that may be sold. */
export const entry = (id: string, more: Partial<ModelEntry> = {}): ModelEntry => ({
  id,
  type: 'chat',
  name: id,
  ownedBy: 'maker',
  description: null,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: {},
  traits: {},
  isFree: false,
  created: 0 as Ms,
  status: 'active',
  card: { version: 'card-1', validFrom: 0 as Ms, lines: usualLines },
  routes: [route('first')],
  ...more,
})

export const vendor = (name: string, more: Partial<VendorConfig> = {}): VendorConfig => ({
  name,
  kind: 'openai',
  dialect: name,
  baseUrl: `https://${name}.example/v1`,
  credential: null,
  timeoutMs: 1000,
  transport: 'own',
  active: true,
  source: 'command',
  ...more,
})
