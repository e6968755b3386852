import type { Traits } from '../../../domain/model'
import { chatMembers, chatPath, isLeftOut } from '../../formats/chat/members'
import { setEffort, thinksUnpaid } from './shape-thinking'
import { offersTools } from '../../formats/chat/tool-options'
import { domainsOf, plainSearch, readWebSearch } from '../../formats/chat/web-search'
import { hostedTool, soldSearches, toolsOf, unsoldTool } from '../../formats/hosted-tools'
import { ruleOf, withheldMembers } from '../../formats/request-members'
import { cacheHints } from '../../formats/said-members'
import { unsupported } from '../../formats/schema-fault'
import { fieldsOf, isFields } from '../../json/fields'
import { withoutUserId } from '../../formats/metadata'
import type { BodyEdit, ClientMark, Target } from '../vendor'
import { dialects, isDialect, type Dialect } from './dialects'
import { shapeMessages } from './shape-messages'
import { shapeTools } from './shape-tools'

type Body = Readonly<Record<string, unknown>>

/**
 * Never the client's: they would buy another price, choose another seller, name what belongs to
 * another client, or tell the vendor who the client is.
 */
const neverPassed: readonly string[] = [
  ...withheldMembers(chatMembers),
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
  const effort = setEffort(body, { traits, dialect }, set, drop)
  setTemperature(body, dialect, set)
  shapeTools(body, dialect.toolChoices, set, drop)
  const messages = shapeMessages(body['messages'], dialect.messages, {
    systemRole: traits.systemRole,
    offersTools: offersTools(body),
    recall: mark.recall,
    withoutSealed: mark.withoutSealed === true,
  })
  if (messages !== null) set['messages'] = messages

  const notes = withoutUserId(body['metadata'])
  if (notes !== null) set['metadata'] = notes
  const samplingRefused = traits.samplingNeedsNoEffort === true && effort !== 'none'
  const names = namesOf.get(dialect)
  const translated = mark.translated === true
  dropRefused(body, { dialect, names, traits, samplingRefused, translated }, set, drop)
  if (body['tools'] !== undefined) refuseHosted(body)
  // Searches are paid by the call: without a price for it none is sold.
  const { web_search_options: search } = body
  if (search !== undefined && !sellsSearch(body, target)) drop.push('web_search_options')
  else if (isFields(search) && !drop.includes('web_search_options')) {
    // A search that is kept to some pages would find others.
    if (domainsOf(fieldsOf(search['filters'])) !== null)
      throw unsupported(String(body['model']), chatPath, 'web_search_options.filters')
    set['web_search_options'] = plainSearch(search)
  }

  if (dialect.safetyField !== null) set[dialect.safetyField] = mark.safetyId
  if (mark.conditions) set['provider'] = mark.conditions
  if (mark.stream && dialect.streamOptions !== 'none')
    set['stream_options'] = dialect.streamOptions === 'usage' ? usage : usagePlain
  if (drop.length === 0) return { set, drop }
  const ignored = drop.filter((name) => ruleOf(chatMembers, name) === undefined && name in body)
  return ignored.length === 0 ? { set, drop } : { set, drop, ignored }
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
  /** Of a client of another format. */
  readonly translated: boolean
}

/**
 * Fields that go out under another name, and those that do not go out.
 * @throws endpoint_not_supported for one that asks for something which the client would wait for in vain
 */
function dropRefused(
  body: Body,
  refusing: Refusing,
  set: Record<string, unknown>,
  drop: string[],
): void {
  const { dialect, names } = refusing
  for (const name in body) {
    const value = body[name]
    const refused = refuses(refusing, name) || thinksUnpaid(refusing, name, value)
    const renamed = Object.hasOwn(dialect.rename, name) ? dialect.rename[name] : undefined
    if (renamed !== undefined && !refused) set[renamed] ??= value ?? undefined
    const isUnknown = renamed === undefined && names?.allowed?.has(name) === false
    if ((refused || isUnknown) && !drop.includes(name)) refuseLoss(body, name, refusing)
    if (refused || renamed !== undefined || isUnknown) drop.push(name)
  }
  for (const name in set) if (refuses(refusing, name)) delete set[name]
}

const refuses = ({ names, traits, samplingRefused }: Refusing, name: string): boolean =>
  names?.refused.has(name) === true ||
  traits.drop?.includes(name) === true ||
  (samplingRefused && samplingFields.has(name))

/** Wishes that agents send with every request, to each model: they are left out where one refuses them. */
const randomness: ReadonlySet<string> = new Set(['temperature', 'top_p'])

/** Members that go out by other means (retired names), and hints without which an answer is the same. */
const lossless: ReadonlySet<string> = new Set([
  'functions',
  'function_call',
  'metadata',
  ...cacheHints,
])

/** @throws endpoint_not_supported where a member that does not go out asks for something */
function refuseLoss(body: Body, name: string, { traits, translated }: Refusing): void {
  if (randomness.has(name) || lossless.has(name)) return
  // Coding clients of other formats offer a search with every request.
  if (translated && name === 'web_search_options') return
  if (isLeftOut(name, body[name], traits.drop)) return
  // One that no list has is named by the answer.
  if (ruleOf(chatMembers, name) === undefined) return
  throw unsupported(String(body['model']), chatPath, name)
}

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

function setTemperature(body: Body, { maxTemperature }: Dialect, set: Record<string, unknown>) {
  const { temperature } = body
  if (maxTemperature !== null && typeof temperature === 'number' && temperature > maxTemperature)
    set['temperature'] = maxTemperature
}
