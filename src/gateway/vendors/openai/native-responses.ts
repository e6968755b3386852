import { reasoningEfforts } from '../../../domain/model'
import { GatewayError } from '../../../errors/gateway-error'
import { callIdForms, fittingCallId } from '../../formats/call-ids'
import { fieldsOf, listOf, type Fields } from '../../json/fields'
import { hostedTool, isUnsold, refusedTool, unsoldTool } from '../../formats/hosted-tools'
import { hadChoice, offeredTools } from '../../formats/responses/hosted-tools'
import { responsesMembers } from '../../formats/responses/members'
import { withheldMembers } from '../../formats/request-members'
import { withoutUserId } from '../../formats/metadata'
import { closestEffort } from '../../formats/reasoning'
import type { BodyEdit, NativeAbility, Target } from '../vendor'
import { dialects, type ResponsesRules } from './dialects'
import { dialectOf } from './shape-request'

/**
 * Never the client's: they buy another price, run on without us, name what belongs to another
 * client, or tell the vendor who the client is.
 */
const neverPassed = withheldMembers(responsesMembers)

const samplingFields: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_logprobs'])
/** Tokens; the format refuses a smaller `max_output_tokens`. */
const minCeiling = 16

/**
 * Responses from clients of the same format (openai/openai-openapi `CreateResponse`, 2.3.0 of 2026-08-21).
 */
export const nativeResponses: NativeAbility = {
  takes,
  path: () => '/responses',
  shape(body, target, mark): BodyEdit {
    const { safetyId, stream, answerName, mayKeep, withoutSealed = false } = mark
    const { traits } = target
    const rules = dialectOf(target.config.dialect).responses ?? dialects.openai.responses
    const set: Fields = {}
    if (rules.safetyField !== null) set[rules.safetyField] = safetyId
    if (!(mayKeep && rules.keeps) && !rules.drop.includes('store')) set['store'] = false
    if (mark.conditions) set['provider'] = mark.conditions
    if (stream && rules.streamOptions) set['stream_options'] = { include_obfuscation: false }
    const { max_output_tokens: ceiling, previous_response_id: earlier } = body
    if (typeof ceiling === 'number' && ceiling < minCeiling) set['max_output_tokens'] = minCeiling
    if (typeof earlier === 'string')
      set['previous_response_id'] = vendorId(earlier, answerName?.(earlier))
    const kept = withoutSealed
      ? withoutReasoning(body['input'])
      : withoutForeign(body['input'], rules.seals)
    const input = withFittingIds(kept ?? body['input']) ?? kept
    if (input !== null) set['input'] = input
    const notes = withoutUserId(body['metadata'])
    if (notes !== null) set['metadata'] = notes
    const effort = shapeEffort(body, target, set)
    const toolless = shapeTools(body, target, set)
    const samplingRefused = traits.samplingNeedsNoEffort === true && effort !== 'none'
    const drop = Object.keys(body).filter(
      (name) =>
        neverPassed.has(name) ||
        rules.drop.includes(name) ||
        traits.drop?.includes(name) === true ||
        (samplingRefused && samplingFields.has(name)) ||
        (toolless && (name === 'tools' || name === 'tool_choice')),
    )
    return { set, drop: drop.filter((name) => set[name] === undefined) }
  },
}

/**
 * Whether a request passes as it is. Where a vendor's endpoint is not known to be whole, a translation to chat is the
 * safer way for whatever it can say.
 */
function takes(body: Readonly<Fields>, { config, traits, sells }: Target): boolean {
  const rules = dialectOf(config.dialect).responses
  if (rules === null || lacks(rules, body)) return false
  if (rules.passes === 'all' || traits.responses === 'native') return true
  if (rules.passes === 'declared') return false
  if (traits.chat === 'responses') return true
  if (traits.chat !== undefined && listOf(body['tools']).length > 0) return true
  return (
    listOf(body['input']).some(isSealed) ||
    listOf(body['tools']).some((tool) => hostedTool(tool) !== null && !isUnsold(tool, sells))
  )
}

/** Whether a request asks for what the endpoint lacks, and what a translation says or refuses by its name. */
const lacks = ({ keeps, drop }: ResponsesRules, body: Readonly<Fields>): boolean =>
  (!keeps && (body['previous_response_id'] ?? null) !== null) ||
  (drop.includes('truncation') && body['truncation'] === 'auto') ||
  (drop.includes('include') && listOf(body['include']).includes(logprobs))

const logprobs = 'message.output_text.logprobs'

/** What only its own vendor can read. */
const isSealed = (item: unknown): boolean => {
  const { type, encrypted_content: sealed } = fieldsOf(item)
  return type === 'reasoning' && typeof sealed === 'string'
}

/** Set for responses alone: the endpoint refuses fields that it does not know. */
const ofResponses: ReadonlySet<string> = new Set([
  'safety_identifier',
  'user',
  'store',
  'stream_options',
])

/** Compaction for clients of the same format: what a response would be asked for, in fewer fields. */
export const nativeCompact: NativeAbility = {
  takes: (_, { config }) => dialectOf(config.dialect).responses?.compacts === true,
  path: () => '/responses/compact',
  shape(body, target, mark): BodyEdit {
    const { set, drop } = nativeResponses.shape(body, target, mark)
    const kept = Object.entries(set).filter(([name]) => !ofResponses.has(name))
    return { set: Object.fromEntries(kept), drop: [...drop, ...ofResponses, 'stream'] }
  },
}

/**
 * Reasoning in an answer of ours that another vendor gave: this one looks for what it names, and
 * refuses a conversation when it is not there.
 * @returns null when there is none, which spares the text of the input
 */
function withoutForeign(input: unknown, seals: boolean): readonly unknown[] | null {
  const items = listOf(input)
  const isLeftOut = (item: unknown) => isForeign(item) || (!seals && isSealed(item))
  return items.some(isLeftOut) ? items.filter((item) => !isLeftOut(item)) : null
}

function isForeign(item: unknown): boolean {
  const { type, id, encrypted_content: sealed } = fieldsOf(item)
  if (type !== 'reasoning' || typeof sealed === 'string') return false
  return typeof id !== 'string' || ourReasoning.test(id)
}

/**
 * The input without any reasoning. What was answered after it goes without the vendor's id: by that the
 * vendor would look for the reasoning that stood before it.
 */
const withoutReasoning = (input: unknown): unknown =>
  Array.isArray(input)
    ? input.flatMap((item: unknown): unknown[] => {
        const { id: _, ...rest } = fieldsOf(item)
        const { type = 'message' } = rest
        if (type === 'reasoning') return []
        return answered.has(type) ? [rest] : [item]
      })
    : input

/** @returns null when all ids of calls fit */
function withFittingIds(input: unknown): readonly unknown[] | null {
  const items = listOf(input)
  const { fits } = callIdForms.responses
  const idOf = (item: unknown): string | null => {
    const { call_id: id } = fieldsOf(item)
    return typeof id === 'string' && !fits.test(id) ? id : null
  }
  if (!items.some((item) => idOf(item) !== null)) return null
  return items.map((item) => {
    const id = idOf(item)
    return id === null
      ? item
      : { ...fieldsOf(item), call_id: fittingCallId(id, callIdForms.responses) }
  })
}

/** Types of items that are taken without an id. */
const answered: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call'])

const ourReasoning = /^rs_[0-9a-f]{34}$/

/** @throws request_not_found for an answer that is not this project's, or not known any more */
function vendorId(ours: string, name: string | undefined): string {
  if (name !== undefined) return name
  throw new GatewayError('request_not_found', { id: ours }, { param: 'previous_response_id' })
}

/** @returns the effort that the vendor is asked for; null for its own */
function shapeEffort(body: Readonly<Fields>, { traits }: Target, set: Fields): string | null {
  const requested = fieldsOf(body['reasoning'])
  const asked = reasoningEfforts.find((each) => each === requested['effort']) ?? null
  if (asked === null || traits.efforts === undefined) return asked
  const effort = closestEffort(asked, traits.efforts)
  if (effort === asked) return asked
  const { effort: _, ...rest } = requested
  set['reasoning'] = effort === null ? rest : { ...rest, effort }
  return effort
}

/**
 * Tools that the vendor runs cost what they cost: without a price for it none is sold. Coding clients
 * offer a search with every request, which is left out in silence; what else is asked for, or forced,
 * is refused.
 * @returns true when none of the tools that the client names is left
 * @throws endpoint_not_supported
 */
function shapeTools(body: Readonly<Fields>, { sells }: Target, set: Fields): boolean {
  const { model, tool_choice: requested } = body
  const refuse = (tool: unknown, param: string) =>
    unsoldTool(tool, { model, path: '/v1/responses', param })
  const refused = refusedTool(offeredTools(body), sells)
  if (refused !== null) throw refuse(refused.tool, refused.param)
  const { isUnsold: isChoiceUnsold, choice } = hadChoice(body, sells)
  if (isChoiceUnsold)
    throw refuse(requested === 'required' ? { type: 'web_search' } : requested, 'tool_choice')
  const tools = listOf(body['tools'])
  const sold = tools.filter((tool) => !isUnsold(tool, sells))
  if (sold.length === 0 && tools.length > 0) return true
  if (sold.length < tools.length || sold.some(isBareShell)) set['tools'] = sold.map(shellAtClient)
  if (choice !== requested) set['tool_choice'] = choice
  return false
}

const isBareShell = (tool: unknown): boolean => {
  const { type, environment } = fieldsOf(tool)
  return type === 'shell' && (environment ?? null) === null
}

/**
 * Says where a shell without an environment runs: the reference (`FunctionShellToolParam`) names no
 * default.
 */
const shellAtClient = (tool: unknown): unknown =>
  isBareShell(tool) ? { ...fieldsOf(tool), environment: { type: 'local' } } : tool
