import { InvalidArgumentError, type Command } from 'commander'
import type { Capabilities, PriceLine, Route, Traits } from '../domain/model'
import { priceLine, publicPrices } from '../metering/pricing-view'
import { read, type CommonOptions } from './leaf'

export interface ModelOptions extends CommonOptions {
  readonly route?: readonly Route[]
  readonly price?: readonly PriceLine[]
  readonly free?: true
  readonly name?: string
  readonly description?: string
  readonly ownedBy?: string
  readonly context?: number
  readonly maxOutput?: number
  readonly capability?: Capabilities
  readonly trait?: Traits
  readonly off?: true
  readonly on?: true
}

/** The options that say what a model is, who has it and what it costs. */
export const withModelSettings = (command: Command): Command =>
  command
    .option(
      '--route <vendor:model>',
      'who has it and under which name; repeatable, in order',
      readRoute,
    )
    .option('--price <key=usd>', `repeatable: ${Object.keys(publicPrices).join(', ')}`, readPrice)
    .option('--free', 'costs nothing')
    .option('--name <name>', 'name, for people')
    .option('--description <text>', 'what it is good for')
    .option('--owned-by <name>', 'who made it')
    .option('--context <tokens>', 'context length', read.count)
    .option('--max-output <tokens>', 'most output tokens', read.count)
    .option('--capability <name=bool>', 'such as vision=true; repeatable', readCapability)
    .option(
      '--trait <name=json>',
      'what it accepts, such as drop=["temperature"]; repeatable',
      readTrait,
    )

function readRoute(text: string, earlier: readonly Route[] = []): readonly Route[] {
  const cut = text.indexOf(':')
  if (cut <= 0 || cut === text.length - 1)
    throw new InvalidArgumentError('A route is VENDOR:MODEL, such as openai:gpt-4o.')
  const route = { vendor: text.slice(0, cut), vendorModel: text.slice(cut + 1) }
  return [...earlier, { ...route, priority: earlier.length, weight: 1 }]
}

function readPrice(text: string, earlier: readonly PriceLine[] = []): readonly PriceLine[] {
  const [key, value] = pair(text)
  try {
    return [...earlier, priceLine(key, value)]
  } catch (thrown) {
    throw new InvalidArgumentError(thrown instanceof Error ? thrown.message : text)
  }
}

function readCapability(text: string, earlier: Capabilities = {}): Capabilities {
  const [name, value] = pair(text)
  if (value !== 'true' && value !== 'false')
    throw new InvalidArgumentError('true or false is needed.')
  return { ...earlier, [name]: value === 'true' }
}

function readTrait(text: string, earlier: Traits = {}): Traits {
  const [name, value] = pair(text)
  try {
    return { ...earlier, [name]: JSON.parse(value) as unknown }
  } catch {
    throw new InvalidArgumentError(`The value of ${name} must be JSON.`)
  }
}

function pair(text: string): [string, string] {
  const cut = text.indexOf('=')
  if (cut <= 0) throw new InvalidArgumentError('NAME=VALUE is needed.')
  return [text.slice(0, cut), text.slice(cut + 1)]
}
