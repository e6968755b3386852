import type { Ms } from '../../../domain/clock'
import type { ModelEntry, PriceLine } from '../../../domain/model'

/** Since the sandbox is there. */
const started = 1_760_000_000_000 as Ms

/** Description of a model of the sandbox. */
interface SandboxModel extends Pick<ModelEntry, 'type' | 'description' | 'capabilities'> {
  /** The sandbox's own name of it. */
  readonly name: string
  readonly isPriced: boolean
  readonly lines: readonly PriceLine[]
  readonly contextLength?: number
  readonly maxOutputTokens?: number
  readonly traits?: ModelEntry['traits']
}

/** A model that the sandbox serves, free or with prices. */
export const sandboxModel = ({
  name,
  isPriced,
  lines,
  contextLength,
  maxOutputTokens,
  traits,
  ...own
}: SandboxModel): ModelEntry => ({
  ...own,
  id: `sandbox/${name}${isPriced ? '-priced' : ''}`,
  name: `Sandbox ${name}${isPriced ? ' (priced)' : ''}`,
  ownedBy: 'sandbox',
  contextLength: contextLength ?? null,
  maxOutputTokens: maxOutputTokens ?? null,
  traits: traits ?? {},
  isFree: !isPriced,
  created: started,
  status: 'active',
  card: { version: 'sandbox-1', validFrom: started, lines },
  routes: [{ vendor: 'sandbox', vendorModel: name, priority: 0, weight: 1 }],
})
