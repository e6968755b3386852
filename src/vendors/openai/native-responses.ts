import { reasoningEfforts } from '../../domain/model'
import { GatewayError } from '../../errors/gateway-error'
import { fieldsOf, isFields, listOf, type Fields } from '../../formats/chat/wire'
import { closestEffort } from '../../formats/reasoning'
import type { BodyEdit, NativeAbility, Target } from '../vendor'
import { dialectOf } from './shape-request'

/**
 * Never the client's: they buy another price, run on without us, name what belongs to another
 * client, or tell the vendor who the client is.
 */
const neverPassed: ReadonlySet<string> = new Set([
  'service_tier',
  'user',
  'safety_identifier',
  'background',
  'conversation',
  'prompt',
  'moderation',
  'stream_options',
])

const samplingFields: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_logprobs'])
/** The format refuses a smaller ceiling. */
const leastCeiling = 16

/** Responses from clients of the same format. */
export const nativeResponses: NativeAbility = {
  takes: (_, { config }) => dialectOf(config.dialect).responses,
  path: () => '/responses',
  shape(body, target, { safetyId, stream, recall }): BodyEdit {
    const { traits } = target
    const set: Fields = { safety_identifier: safetyId }
    if (stream) set['stream_options'] = { include_obfuscation: false }
    const { max_output_tokens: ceiling, previous_response_id: earlier } = body
    if (typeof ceiling === 'number' && ceiling < leastCeiling)
      set['max_output_tokens'] = leastCeiling
    if (typeof earlier === 'string') set['previous_response_id'] = vendorId(earlier, recall)
    const effort = shapeEffort(body, target, set)
    const toolless = shapeTools(body, target, set)
    const samplingRefused = traits.samplingNeedsNoEffort === true && effort !== 'none'
    const drop = Object.keys(body).filter(
      (name) =>
        neverPassed.has(name) ||
        traits.drop?.includes(name) === true ||
        (samplingRefused && samplingFields.has(name)) ||
        (toolless && (name === 'tools' || name === 'tool_choice')),
    )
    return { set, drop: drop.filter((name) => set[name] === undefined) }
  },
}

/** @throws request_not_found for an answer that is not this project's, or not known any more */
function vendorId(ours: string, recall: (id: string) => unknown): unknown {
  const { id } = fieldsOf(recall(ours))
  if (id !== undefined) return id
  throw new GatewayError('request_not_found', { id: ours }, { param: 'previous_response_id' })
}

/** @returns the effort that the vendor is asked for; null for its own */
function shapeEffort(body: Readonly<Fields>, { traits }: Target, set: Fields): string | null {
  const told = fieldsOf(body['reasoning'])
  const asked = reasoningEfforts.find((each) => each === told['effort']) ?? null
  if (asked === null || traits.efforts === undefined) return asked
  const effort = closestEffort(asked, traits.efforts)
  if (effort === asked) return asked
  const { effort: _, ...rest } = told
  set['reasoning'] = effort === null ? rest : { ...rest, effort }
  return effort
}

/** @returns true when none of the tools that the client names is left */
function shapeTools(body: Readonly<Fields>, target: Target, set: Fields): boolean {
  const tools = listOf(body['tools'])
  const sold = tools.filter((tool) => isSold(tool, target))
  if (sold.length === tools.length) return false
  if (sold.length === 0) return true
  set['tools'] = sold
  const choice = fieldsOf(body['tool_choice'])['type']
  // What is not there cannot be forced.
  if (typeof choice === 'string' && !sold.some((tool) => fieldsOf(tool)['type'] === choice))
    set['tool_choice'] = 'auto'
  return false
}

/** Tools that the vendor runs cost what they cost: without a price for it none is sold. */
function isSold(tool: unknown, { sells }: Target): boolean {
  const { type } = isFields(tool) ? tool : {}
  if (typeof type !== 'string') return true
  if (type.startsWith('web_search')) return sells('tool:web_search')
  if (type === 'code_interpreter') return sells('tool:code_interpreter')
  return type !== 'image_generation' && type !== 'file_search'
}
