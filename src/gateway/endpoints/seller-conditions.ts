import type { Offer } from '../catalogue/catalogue'
import { endpoints } from '../catalogue/endpoints'
import type { EndpointName } from '../../domain/model'
import type { Meter } from '../../domain/usage'
import { isFields, type Fields } from '../json/fields'
import { invalid, unsupported } from '../formats/schema-fault'
import type { Target } from '../vendors/vendor'

/*
 * Conditions of a client on who answers it. Bodies written for a router of vendors hold them, and to
 * ignore one sends a prompt where its client forbade.
 */

/** Members that hold them; no vendor gets one as it stands. */
const members = ['provider', 'providerOptions', 'plugins'] as const

/**
 * Members of OpenRouter's `provider`, each with its neutral value.
 * @see https://openrouter.ai/docs/guides/routing/provider-selection, November 2026
 */
const neutral: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['order', null],
  ['only', null],
  ['ignore', null],
  ['quantizations', null],
  ['sort', null],
  ['preferred_min_throughput', null],
  ['preferred_max_latency', null],
  ['allow_fallbacks', true],
  ['require_parameters', false],
  ['data_collection', 'allow'],
  ['zdr', false],
  ['enforce_distillable_text', false],
  ['max_price', null],
])

/** Members of `max_price`, in dollars per priced unit of a meter. */
const ceilings: ReadonlyMap<string, Meter> = new Map([
  ['prompt', 'input'],
  ['completion', 'output'],
  ['request', 'request'],
])

interface ConditionsParts {
  readonly endpoint: EndpointName
  readonly offer: Pick<Offer, 'model' | 'card'>
}

/**
 * Looks whether this vendor can be asked under the conditions of a body.
 * @returns `provider` as this vendor is to be told it; null for nothing
 * @throws endpoint_not_supported naming the condition that cannot be kept | invalid_field
 */
export function sellerConditions(
  body: Readonly<Fields>,
  target: Target,
  parts: ConditionsParts,
): Fields | null {
  const { provider, providerOptions, plugins } = body
  if (provider === undefined && providerOptions === undefined && plugins === undefined) return null
  return keptConditions({ provider, providerOptions, plugins }, target, parts)
}

function keptConditions(
  { provider, providerOptions, plugins }: Readonly<Fields>,
  target: Target,
  parts: ConditionsParts,
): Fields | null {
  const refuse = (param: string) =>
    unsupported(parts.offer.model.id, endpoints[parts.endpoint].path, param)
  const option = demandIn({ providerOptions })
  if (option !== null) throw refuse(option)
  if (demandIn(plugins) !== null) throw refuse('plugins')
  if (provider === undefined || provider === null) return null
  if (!isFields(provider)) throw invalid('provider', 'an object')
  const demands = Object.entries(provider).filter(([name, value]) => !isNeutral(name, value))
  const { max_price: ceiling } = provider
  const dear = isFields(ceiling) ? tooDear(ceiling, parts.offer) : null
  if (dear !== null) throw refuse(`provider.max_price.${dear.slice(0, maxNameChars)}`)
  const rest = demands.filter(([name]) => name !== 'max_price')
  const chooses = target.vendor.abilities.chat?.choosesSellers?.(target) === true
  const unkept = rest.find(([name]) => !chooses || !neutral.has(name))
  if (unkept !== undefined) throw refuse(`provider.${unkept[0].slice(0, maxNameChars)}`)
  if (rest.length === 0) return null
  // Whom the client chooses may ask more than the price at which the model is sold.
  return { ...Object.fromEntries(rest), max_price: pricesOf(parts.offer) }
}

/** The body without conditions on sellers, where it passes as it stands. */
export function withoutConditions(body: Readonly<Fields>): readonly string[] {
  const { provider, providerOptions, plugins } = body
  if (provider === undefined && providerOptions === undefined && plugins === undefined) return none
  return membersIn(body)
}

const membersIn = (body: Readonly<Fields>): readonly string[] =>
  members.filter((name) => body[name] !== undefined)

const none: readonly string[] = []

const isNeutral = (name: string, value: unknown): boolean =>
  demandIn(value) === null || neutral.get(name) === value

/** Names of clients in a refusal are no longer than this, and not deeper. */
const maxNameChars = 64
const maxName = 3

/**
 * The place of the first thing in a value that says something: nulls, empty lists and objects of
 * nothing else do not.
 * @returns '' for the value itself, null for none
 */
function demandIn(value: unknown, depth = 0): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.length === 0 ? null : ''
  if (!isFields(value)) return ''
  for (const name in value) {
    const inner = demandIn(value[name], depth + 1)
    if (inner === null) continue
    if (depth >= maxName) return ''
    const short = name.slice(0, maxNameChars)
    return inner === '' ? short : `${short}.${inner}`
  }
  return null
}

/** The member of a ceiling that our price is above, or that cannot be compared with it. */
function tooDear(ceiling: Readonly<Fields>, offer: ConditionsParts['offer']): string | null {
  for (const [name, told] of Object.entries(ceiling)) {
    if (told === undefined || told === null) continue
    const meter = ceilings.get(name)
    const most = Number(told)
    if (meter === undefined || !Number.isFinite(most)) return name
    if (priceOf(meter, offer) > most) return name
  }
  return null
}

/** Dollars; the dearest where it depends on how much goes in, and nothing where it is not sold. */
const priceOf = (meter: Meter, { card }: ConditionsParts['offer']): number =>
  Math.max(
    0,
    ...card.lines.filter((line) => line.meter === meter).map(({ price }) => Number(price)),
  )

const pricesOf = (offer: ConditionsParts['offer']): Fields => ({
  prompt: priceOf('input', offer),
  completion: priceOf('output', offer),
})
