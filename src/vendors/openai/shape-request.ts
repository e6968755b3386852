import { type ReasoningEffort, type Traits } from '../../domain/model'
import { chatMembers, chatPath, isLeftOut } from '../../formats/chat/members'
import { offersTools } from '../../formats/chat/tool-options'
import { domainsOf, plainSearch, readWebSearch } from '../../formats/chat/web-search'
import { hostedTool, soldSearches, toolsOf, unsoldTool } from '../../formats/hosted-tools'
import {
  effortFor,
  isOnlyEffort,
  requestedEffort,
  thinkingAs,
  thinkingMembers,
  type ThinkingMember,
} from '../../formats/reasoning'
import { withheldMembers } from '../../formats/request-members'
import { unsupported } from '../../formats/schema-fault'
import { fieldsOf, isFields } from '../../json/fields'
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

  const samplingRefused = traits.samplingNeedsNoEffort === true && effort !== 'none'
  const names = namesOf.get(dialect)
  dropRefused(body, { dialect, names, traits, samplingRefused }, set, drop)
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

/** Whether a member asks for thinking that no ceiling binds, of a model that is not known to be paid for it. */
const thinksUnpaid = (
  { dialect, traits }: Pick<Refusing, 'dialect' | 'traits'>,
  name: string,
  value: unknown,
): boolean =>
  traits.thinkingBeyond === undefined &&
  dialect.thinkingBeyond?.includes(name) === true &&
  value !== false

/** Wishes that agents send with every request, to each model: they are left out where one refuses them. */
const randomness: ReadonlySet<string> = new Set(['temperature', 'top_p'])

/** Members that go out by other means: retired names, and those that were sent under another name already. */
const sentOtherwise: ReadonlySet<string> = new Set(['functions', 'function_call'])

/** @throws endpoint_not_supported where a member that does not go out asks for something */
function refuseLoss(body: Body, name: string, { traits }: Refusing): void {
  if (randomness.has(name) || sentOtherwise.has(name)) return
  if (isLeftOut(name, body[name], traits.drop)) return
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

interface Thinking {
  readonly traits: Traits
  readonly dialect: Dialect
}

/**
 * Asks for thinking by a member that the vendor has, whichever the client used.
 * @returns the effort that the vendor is asked for; null for none
 * @throws endpoint_not_supported for thinking that no ceiling binds, of a model that is not known to be paid for it
 */
function setEffort(
  body: Body,
  how: Thinking,
  set: Record<string, unknown>,
  drop: string[],
): ReasoningEffort | null {
  const { traits, dialect } = how
  // Without effort is the only way in which it takes tools here.
  if (traits.chat === 'responses-with-tools' && offersTools(body))
    return (set['reasoning_effort'] = 'none')
  const sent = thinkingMembers.filter((name) => body[name] !== undefined)
  if (sent.length === 0) return null
  drop.push(...sent.filter((name) => body[name] === null))
  const asked = requestedEffort(body)
  const foreign = sent.filter((name) => dialect.thinking?.includes(name) === false)
  const unknown = foreign.find((name) => !isOnlyEffort(name, body[name]))
  if (unknown !== undefined && isUnpaid(how))
    throw unsupported(String(body['model']), chatPath, unknown)
  // The member says something that is not known here: the vendor knows it, or refuses it.
  if (asked === null) return null
  drop.push(...foreign.filter((name) => isOnlyEffort(name, body[name])))
  const kept = sent.filter((name) => !drop.includes(name) && name !== 'reasoning_effort')
  // A member of the vendor's own stays as its client wrote it.
  if (kept.length > 0) return asked
  const wanted = wantedThinking(
    asked,
    how,
    sent.some((name) => name !== 'reasoning_effort'),
  )
  if (wanted === null) {
    drop.push(...sent)
    return null
  }
  const [member, effort] = wanted
  if (member === 'reasoning_effort' && body[member] === effort) return effort
  if (thinksUnpaid(how, member, effort !== 'none'))
    throw unsupported(String(body['model']), chatPath, sent[0] ?? member)
  if (member !== 'reasoning_effort' && sent.includes('reasoning_effort'))
    drop.push('reasoning_effort')
  Object.assign(set, thinkingAs(member, effort))
  return effort
}

/**
 * The member by which a vendor is asked for an effort, with what it says.
 * @param isSwitched the client asked by a member that turns thinking on and off
 * @returns null where the model has neither efforts nor a way to be asked
 */
function wantedThinking(
  asked: ReasoningEffort,
  { traits, dialect }: Thinking,
  isSwitched: boolean,
): readonly [ThinkingMember, ReasoningEffort] | null {
  const { efforts } = traits
  const { thinking: taken } = dialect
  const change = taken?.find((name) => name !== 'reasoning_effort')
  const hasEfforts = (taken === null || taken.includes('reasoning_effort')) && efforts?.length !== 0
  // What is turned off is not thought a little.
  const isExact = asked !== 'none' || efforts?.includes('none') === true
  if (hasEfforts && (isExact || change === undefined)) {
    const effort = effortFor(asked, traits)
    return effort === null ? null : ['reasoning_effort', effort]
  }
  // A model without efforts of its own is not known to be stopped by one.
  if (change === undefined || (efforts?.length === 0 && !isSwitched)) return null
  return [change, asked]
}

/** Whether thinking that no ceiling binds is not known to be paid for. */
const isUnpaid = ({ dialect, traits }: Thinking): boolean =>
  dialect.thinkingBeyond !== undefined && traits.thinkingBeyond === undefined

function setTemperature(body: Body, { maxTemperature }: Dialect, set: Record<string, unknown>) {
  const { temperature } = body
  if (maxTemperature !== null && typeof temperature === 'number' && temperature > maxTemperature)
    set['temperature'] = maxTemperature
}
