import { Type, type Static } from '@sinclair/typebox'
import { modelFields } from '../../../domain/fields/model-fields'
import { priceKeys } from '../../../gateway/metering/pricing-view'
import { capabilityNames, capabilityOf, traitNames, traitOf } from '../model-traits'
import { asOption, settable } from '../../operations/from-fields'
import { ModelId, SentPrices, type RouteView } from './model-views'
import { nameAndValue, readPrices } from '../../pricing/operations/price-words'

type TypedRoute = Static<typeof RouteView>

/**
 * `VENDOR:MODEL`, with priority and weight behind it where they are numbers. A model whose own name
 * ends in a number is written with both. @throws RangeError
 */
function readRoute(text: string, earlier: readonly TypedRoute[] = []): readonly TypedRoute[] {
  const [, vendor, vendor_model, priority, weight] =
    /^([^:]+):(.+?)(?::(\d+)(?::(\d+))?)?$/s.exec(text) ?? []
  if (vendor === undefined || vendor_model === undefined)
    throw new RangeError('A route is VENDOR:MODEL, such as openai:gpt-4o.')
  if (weight !== undefined && Number(weight) < 1)
    throw new RangeError('The weight of a route is a whole number from 1.')
  const route = {
    vendor,
    vendor_model,
    priority: priority === undefined ? earlier.length : Number(priority),
    weight: Number(weight ?? 1),
  }
  return [...earlier, route]
}

/** Ids between commas; a blank one is a slip. @throws RangeError */
function readIds(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.includes('')) throw new RangeError('Ids of models are needed, such as a,b.')
  return ids
}

type TypedPrices = Pick<ModelBody, 'prices' | 'default_prices'>

/** `KEY=USD` sets a price, `KEY=none` takes it away, `default` goes back to the rule. @throws RangeError */
function readPriceEdit(text: string, earlier: TypedPrices = {}): TypedPrices {
  const prices = readPrices(text, earlier.default_prices ? 'default' : earlier.prices)
  return prices === 'default' ? { default_prices: true } : { prices }
}

/** A reader of `NAME=VALUE`, typed again and again. @throws RangeError */
const readNamed =
  (read: (name: string, value: string) => object) =>
  (text: string, earlier: unknown): object => ({
    ...(earlier as object | undefined),
    ...read(...nameAndValue(text)),
  })

const Named = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const Flag = Type.Optional(Type.Boolean())
const Ids = Type.Optional(Type.Array(ModelId, { maxItems: 100 }))

/** Settings of a model, new or not. */
export const modelSettings = {
  /** Replaces all routes; an empty list goes back to those of the public catalogue. */
  routes: asOption(
    Type.Optional(
      Type.Array(
        Type.Object(
          {
            vendor: Type.String({ minLength: 1, maxLength: 64 }),
            vendor_model: Type.String({ minLength: 1, maxLength: 256 }),
            priority: Type.Integer({ minimum: 0, maximum: 1000 }),
            weight: Type.Integer({ minimum: 1, maximum: 1000 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 32 },
      ),
    ),
    'who has it and under which name; repeatable, in order; replaces all routes',
    { option: 'route <vendor:model[:priority[:weight]]>', read: readRoute as Reader },
  ),
  /** Dollars by key; null takes one away, and the others stay. */
  prices: asOption(
    Type.Optional(SentPrices),
    `repeatable; the other prices stay; KEY=none takes one away, default goes back to the pricing rule: ${priceKeys.join(', ')}`,
    { option: 'price <key=usd>', read: readPriceEdit as Reader, isSpread: true },
  ),
  /** Back to the pricing rule, or to the prices it came with. */
  default_prices: Flag,
  only_prices: asOption(Flag, 'the prices given are all it has'),
  free: asOption(Flag, 'costs nothing'),
  ...settable(modelFields),
  capabilities: asOption(
    Named,
    `such as vision=true or voices=ann,bob; repeatable: ${capabilityNames.join(', ')}`,
    { option: 'capability <name=value>', read: readNamed(capabilityOf) },
  ),
  /** In the place of all that it has. */
  traits: Named,
  changed_traits: asOption(
    Named,
    `such as efforts=["low","high"]; repeatable: ${traitNames.join(', ')}`,
    { option: 'trait <name=json>', read: readNamed(traitOf) },
  ),
  fallbacks: asOption(
    Ids,
    'models to try in this order where it gives no answer, each at its own price; none takes them away; their own are not tried',
    { option: 'fallbacks <ids>', read: (text) => (text === 'none' ? [] : readIds(text)) },
  ),
  drop: asOption(
    Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
    'a field it refuses, left out in silence; repeatable',
    { option: 'drop <field>', kind: 'text', isRepeated: true },
  ),
} as const

/** Settings of a model that is there. */
export const modelSwitches = {
  status: asOption(
    Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('off')])),
    'whether it is available',
    { choices: ['active', 'off'], isHidden: true },
  ),
  /** Makes the id a name of these models. */
  alias_of: asOption(
    Ids,
    'makes the id a name of these models: the first that can answers, at its own price',
    { option: 'alias-of <ids>', read: readIds },
  ),
} as const

const Body = Type.Object({ ...modelSettings, ...modelSwitches })

/** Edit of a model, as it is sent. */
export type ModelBody = Static<typeof Body>

type Reader = (text: string, earlier: unknown) => unknown
