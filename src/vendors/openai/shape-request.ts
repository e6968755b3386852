import { reasoningEfforts, type ReasoningEffort, type Traits } from '../../domain/model'
import { refuseDemands } from '../../formats/chat/demands'
import { offersTools } from '../../formats/chat/tool-options'
import { plainSearch, readWebSearch } from '../../formats/chat/web-search'
import { hostedTool, soldSearches, toolsOf, unsoldTool } from '../../formats/hosted-tools'
import { isFields } from '../../json/fields'
import { closestEffort } from '../../formats/reasoning'
import type { BodyEdit, ClientMark, Target } from '../vendor'
import { dialects, isDialect, type Dialect } from './dialects'
import { shapeMessages } from './shape-messages'
import { shapeTools } from './shape-tools'

type Body = Readonly<Record<string, unknown>>

/**
 * Never the client's: they would buy another price, choose another seller, name what belongs to
 * another client, or tell the vendor who the client is.
 */
const neverPassed = [
  'store',
  'service_tier',
  'safety_identifier',
  'user',
  'user_id',
  'stream_options',
  'moderation',
  'provider',
  'providerOptions',
  'models',
  'preset',
  'fallbacks',
  'route',
  'plugins',
  'transforms',
  // Searches that xAI and DashScope bill by the call, also behind somebody who only passes bodies on.
  'search_parameters',
  'enable_search',
  'search_options',
  // Other machines of a vendor, from which it takes what another prompt left there (vLLM, SGLang).
  'kv_transfer_params',
  'bootstrap_host',
  'bootstrap_port',
  'bootstrap_room',
  // The retired names of tools and tool choice: they go out under the new ones.
  'functions',
  'function_call',
]

const samplingFields: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'logprobs',
  'top_logprobs',
])

/** The names of one dialect's rules, looked up for every member of every body. */
interface Names {
  readonly refused: ReadonlySet<string>
  readonly allowed: ReadonlySet<string> | null
}

const namesOf = new Map(
  Object.values<Dialect>(dialects).map((dialect): [Dialect, Names] => [
    dialect,
    {
      refused: new Set([...neverPassed, ...dialect.drop]),
      allowed: dialect.allow === null ? null : new Set(dialect.allow),
    },
  ]),
)

/** The dialect of this name; the plain one for any other. */
export const dialectOf = (name: string): Dialect =>
  isDialect(name) ? dialects[name] : dialects.generic

/**
 * Edits of a checked body for this vendor and model; the vendor's name of the model is
 * the caller's. Names only members that are there: most bodies need nothing but what is added.
 * @throws endpoint_not_supported for what the vendor cannot be asked, and the client waits for
 */
export function shapeRequest(body: Body, target: Target, mark: ClientMark): BodyEdit {
  const { traits } = target
  const dialect = dialectOf(target.config.dialect)
  const set: Record<string, unknown> = {}
  const drop: string[] = []

  setMaxTokens(body, traits.maxTokensName ?? dialect.maxTokensName, set, drop)
  const effort = setEffort(body, traits, set, drop)
  setTemperature(body, dialect, set)
  shapeTools(body, dialect.toolChoices, set, drop)
  const messages = shapeMessages(body['messages'], dialect.messages, {
    systemRole: traits.systemRole,
    recall: mark.recall,
    withoutSealed: mark.withoutSealed === true,
  })
  if (messages !== null) set['messages'] = messages

  const samplingRefused = traits.samplingNeedsNoEffort === true && effort !== 'none'
  const names = namesOf.get(dialect)
  dropRefused(body, { dialect, names, traits, samplingRefused }, set, drop)
  refuseDemands(body, drop)
  if (body['tools'] !== undefined) refuseHosted(body)
  // Searches are paid by the call: without a price for it none is sold.
  const { web_search_options: search } = body
  if (search !== undefined && !sellsSearch(body, target)) drop.push('web_search_options')
  else if (isFields(search) && !drop.includes('web_search_options'))
    set['web_search_options'] = plainSearch(search)

  if (dialect.safetyField !== null) set[dialect.safetyField] = mark.safetyId
  if (mark.conditions) set['provider'] = mark.conditions
  if (mark.stream && dialect.streamOptions !== 'none')
    set['stream_options'] = dialect.streamOptions === 'usage' ? usage : usagePlain
  return { set, drop }
}

/**
 * Compatible vendors run tools of types of their own and bill them (Moonshot's `builtin_function`,
 * Z.ai's `web_search`), but tell of no calls in this format: they cannot be sold here.
 * @throws endpoint_not_supported
 */
function refuseHosted(body: Body): void {
  const hosted = toolsOf(body).find(({ tool }) => hostedTool(tool) !== null)
  if (hosted === undefined) return
  const { tool, param } = hosted
  throw unsoldTool(tool, { model: body['model'], path: '/v1/chat/completions', param })
}

const usage = { include_usage: true }
/** Padding against listeners on the line (`ChatCompletionStreamOptions`) only costs bytes: it ends at us. */
const usagePlain = { include_usage: true, include_obfuscation: false }

interface Refusing {
  readonly dialect: Dialect
  readonly names: Names | undefined
  readonly traits: Traits
  readonly samplingRefused: boolean
}

/** Fields that go out under another name, and those that do not go out. */
function dropRefused(
  body: Body,
  refusing: Refusing,
  set: Record<string, unknown>,
  drop: string[],
): void {
  const { dialect, names } = refusing
  for (const name in body) {
    const refused = refuses(refusing, name) || thinksUnpaid(refusing, name, body[name])
    const renamed = Object.hasOwn(dialect.rename, name) ? dialect.rename[name] : undefined
    if (renamed !== undefined && !refused) set[renamed] ??= body[name] ?? undefined
    if (refused || renamed !== undefined || names?.allowed?.has(name) === false) drop.push(name)
  }
  for (const name in set) if (refuses(refusing, name)) delete set[name]
}

const refuses = ({ names, traits, samplingRefused }: Refusing, name: string): boolean =>
  names?.refused.has(name) === true ||
  traits.drop?.includes(name) === true ||
  (samplingRefused && samplingFields.has(name))

/** Whether a member asks for thinking that no ceiling binds, of a model that is not known to be paid for it. */
const thinksUnpaid = ({ dialect, traits }: Refusing, name: string, value: unknown): boolean =>
  traits.thinkingBeyond === undefined &&
  dialect.thinkingBeyond?.includes(name) === true &&
  value !== false

/** Both names are accepted; the vendor gets one, with the smaller number. */
function setMaxTokens(
  body: Body,
  name: 'max_tokens' | 'max_completion_tokens' | null,
  set: Record<string, unknown>,
  drop: string[],
): void {
  const { max_tokens: old, max_completion_tokens: current } = body
  if (old === undefined && current === undefined) return
  const wanted = name ?? (typeof current === 'number' ? 'max_completion_tokens' : 'max_tokens')
  const other = wanted === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (body[other] === undefined) return
  drop.push(other)
  const asked = [old, current].filter((each) => typeof each === 'number')
  if (asked.length > 0) set[wanted] = Math.min(...asked)
}

function sellsSearch(body: Body, { sells }: Target): boolean {
  const search = readWebSearch(body)
  return soldSearches(search?.contextSize ?? null, sells).length > 0
}

const effortNamed = (name: unknown): ReasoningEffort | null =>
  reasoningEfforts.find((each) => each === name) ?? null

/** @returns the effort that the vendor is asked for; null for none */
function setEffort(
  body: Body,
  traits: Traits,
  set: Record<string, unknown>,
  drop: string[],
): ReasoningEffort | null {
  // Without effort is the only way in which it takes tools here.
  if (traits.chat === 'responses-with-tools' && offersTools(body))
    return (set['reasoning_effort'] = 'none')
  const requested = body['reasoning_effort']
  if (requested === undefined) return null
  const asked = effortNamed(requested)
  const { efforts } = traits
  if (efforts === undefined) return asked
  const effort = asked === null ? null : closestEffort(asked, efforts)
  if (effort === null) drop.push('reasoning_effort')
  else if (effort !== asked) set['reasoning_effort'] = effort
  return effort
}

function setTemperature(body: Body, { maxTemperature }: Dialect, set: Record<string, unknown>) {
  const { temperature } = body
  if (maxTemperature !== null && typeof temperature === 'number' && temperature > maxTemperature)
    set['temperature'] = maxTemperature
}
