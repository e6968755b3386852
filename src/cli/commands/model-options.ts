import { InvalidArgumentError, type Command } from 'commander'
import type { ModelEdit, TypedPrices } from '../../admin/edit-model'
import { nameAndValue } from '../../admin/operations/price-words'
import { capabilityOf, choices, flags, traitNames, traitOf } from '../../admin/model-traits'
import type { Capabilities, PriceLine, Route, Traits } from '../../domain/model'
import { priceKeys, priceLine } from '../../metering/pricing-view'
import { lineKey } from '../../pricing/cards'
import { read, refusing, type CommonOptions } from '../kit/leaf'

/** Options of `model add` and `model set`. */
export interface ModelOptions extends CommonOptions, Omit<ModelEdit, 'status'> {
  readonly off?: true
  readonly on?: true
}

/** Edit of a model by the options of a command. @throws RangeError for both of what excludes the other */
export function modelEditOf(options: ModelOptions): ModelEdit {
  const { off, on, ...rest } = options
  if (off && on) throw new RangeError('a model is --on or --off, not both')
  const { json: _, data: __, ...edit } = rest
  return off || on ? { ...edit, status: off ? 'off' : 'active' } : edit
}

/** The options that say what a model is, who has it and what it costs. */
export const withModelSettings = (command: Command): Command =>
  command
    .option(
      '--route <vendor:model[:priority[:weight]]>',
      'who has it and under which name; repeatable, in order; replaces all routes',
      readRoute,
    )
    .option(
      '--price <key=usd>',
      `repeatable; the other prices stay; KEY=none takes one away, default goes back to the pricing rule: ${priceKeys.join(', ')}`,
      readPrice,
    )
    .option('--only-prices', 'the prices given are all it has')
    .option('--free', 'costs nothing')
    .option('--name <name>', 'name, for people', read.name)
    .option('--description <text>', 'what it is good for')
    .option('--owned-by <name>', 'who made it', read.name)
    .option('--context <tokens>', 'context length', read.count)
    .option('--max-output <tokens>', 'most output tokens', read.count)
    .option(
      '--capability <name=value>',
      `such as vision=true or voices=ann,bob; repeatable: ${[...flags, ...choices].join(', ')}`,
      readCapability,
    )
    .option(
      '--trait <name=json>',
      `such as efforts=["low","high"]; repeatable: ${traitNames.join(', ')}`,
      readTrait,
    )
    .option(
      '--fallbacks <ids>',
      'models to try in this order where it gives no answer, each at its own price; none takes them away; their own are not tried',
      readFallbacks,
    )
    .option('--drop <field>', 'a field it refuses, left out in silence; repeatable', read.list)

/**
 * `VENDOR:MODEL`, with priority and weight behind it where they are numbers. A model whose own name
 * ends in a number is written with both.
 */
function readRoute(text: string, earlier: readonly Route[] = []): readonly Route[] {
  const [, vendor, vendorModel, priority, weight] =
    /^([^:]+):(.+?)(?::(\d+)(?::(\d+))?)?$/s.exec(text) ?? []
  if (vendor === undefined || vendorModel === undefined)
    throw new InvalidArgumentError('A route is VENDOR:MODEL, such as openai:gpt-4o.')
  if (weight !== undefined && Number(weight) < 1)
    throw new InvalidArgumentError('The weight of a route is a whole number from 1.')
  const route = {
    vendor,
    vendorModel,
    priority: priority === undefined ? earlier.length : Number(priority),
    weight: Number(weight ?? 1),
  }
  return [...earlier, route]
}

/** A route as it is written on the command line. */
export function routeText({ vendor, vendorModel, priority, weight }: Route, index: number): string {
  const plain = priority === index && weight === 1 && !/:\d+$/.test(vendorModel)
  return `${vendor}:${vendorModel}${plain ? '' : `:${priority}:${weight}`}`
}

/** Ids between commas; a blank one is a slip. */
export function readIds(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.includes('')) throw new InvalidArgumentError('Ids of models are needed, such as a,b.')
  return ids
}

const readFallbacks = (text: string): readonly string[] => (text === 'none' ? [] : readIds(text))

const noPrices: TypedPrices = { set: [], removed: [], toDefault: false }

/** `KEY=USD` sets a price, `KEY=none` takes it away, `default` goes back to the rule. */
function readPrice(text: string, earlier: TypedPrices = noPrices): TypedPrices {
  if (earlier.toDefault || (text === 'default' && earlier !== noPrices))
    throw new InvalidArgumentError('Say either default, or prices.')
  if (text === 'default') return { ...earlier, toDefault: true }
  const [line, isRemoved] = named(text, (key, usd): readonly [PriceLine, boolean] =>
    usd === 'none' ? [priceLine(key, '0'), true] : [priceLine(key, usd), false],
  )
  const key = lineKey(line)
  if ([...earlier.set, ...earlier.removed].some((each) => lineKey(each) === key))
    throw new InvalidArgumentError('That price was given before.')
  return isRemoved
    ? { ...earlier, removed: [...earlier.removed, line] }
    : { ...earlier, set: [...earlier.set, line] }
}

function readCapability(text: string, earlier: Capabilities = {}): Capabilities {
  return { ...earlier, ...named(text, capabilityOf) }
}

function readTrait(text: string, earlier: Traits = {}): Traits {
  return { ...earlier, ...named(text, traitOf) }
}

/** What `NAME=VALUE` stands for. */
function named<T>(text: string, make: (name: string, value: string) => T): T {
  return refusing(() => make(...nameAndValue(text)))
}
