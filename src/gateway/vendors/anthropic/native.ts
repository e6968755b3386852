import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { callIdForms, fittingCallId } from '../../formats/call-ids'
import { isUnsold, refusedTool, unsoldTool } from '../../formats/hosted-tools'
import { isChoiceUnsold, offeredTools } from '../../formats/messages/hosted-tools'
import { defaultMaxTokens } from '../../formats/messages/render-request'
import { messagesMembers } from '../../formats/messages/members'
import { withheldMembers } from '../../formats/request-members'
import { withoutUnsealed } from '../../formats/messages/web-search'
import { unsupported } from '../../formats/schema-fault'
import type { BodyEdit, NativeAbility, Target } from '../vendor'
import { adaptiveThinking, budgetedThinking, withoutLaterInstructions } from './older-models'

/**
 * Never the client's: they buy another price, run another model, or name what belongs to the
 * operator's account.
 */
const neverPassed = withheldMembers(messagesMembers)

/** Messages from clients of the same format. */
export const nativeMessages: NativeAbility = {
  path: () => '/messages',
  shape(body, target, { safetyId, withoutSealed = false }): BodyEdit {
    const { traits, maxOutputTokens } = target
    const set: Fields = { metadata: { user_id: safetyId } }
    if (typeof body['max_tokens'] !== 'number')
      set['max_tokens'] = maxOutputTokens ?? defaultMaxTokens
    const turns = withoutLaterInstructions(body['messages'], target)
    const own = ownOnly(turns ?? body['messages'], withoutSealed ? isThinking : isUnsigned) ?? turns
    const messages = withFittingIds(own ?? body['messages']) ?? own
    if (messages !== null) set['messages'] = messages
    const tools = listOf(body['tools'])
    refuseUnsold(body, target)
    const sold = tools.filter((tool) => !isUnsold(tool, target.sells))
    const toolless = tools.length > 0 && sold.length === 0
    if (sold.length < tools.length && !toolless) set['tools'] = sold
    refuseCompaction(body, target)
    const refused = new Set([
      ...neverPassed,
      ...(traits.drop ?? []),
      ...(toolless ? ['tools', 'tool_choice'] : []),
    ])
    // Nulls stand for what is not set, and are not understood everywhere.
    const thought = budgetedThinking(body, target) ?? adaptiveThinking(body, target)
    const isLost = withoutSealed && wantsThought({ ...body, ...thought })
    for (const [name, value] of Object.entries({ ...thought, ...(isLost && noThinking) }))
      if (value === null) refused.add(name)
      else if (!refused.has(name)) set[name] = value
    const drop = Object.keys(body).filter((name) => refused.has(name) || body[name] === null)
    return { set, drop: drop.filter((name) => set[name] === undefined) }
  },
  // The version of the format goes with the credential: it is the one that is read here.
  headers({ traits, sells }, _, sent) {
    const sold = sells('tool:advisor') ? ['advisor-'] : []
    const betas = passedBetas(sent.get('anthropic-beta'), [...(traits.betas ?? []), ...sold])
    return betas.length === 0 ? [] : [['anthropic-beta', betas.join(',')]]
  },
}

/**
 * The messages without thinking that nobody signed and sources that nobody sealed: from an answer of another
 * vendor, they would be refused.
 * @param isForeign blocks of thinking to leave out
 * @returns null when there is none, which spares the text of the messages
 */
function ownOnly(
  messages: unknown,
  isForeign: (block: unknown) => boolean,
): readonly unknown[] | null {
  let changed = false
  const kept = listOf(messages).flatMap((message) => {
    if (!isFields(message) || message['role'] !== 'assistant') return [message]
    const { content } = message
    if (!Array.isArray(content)) return [message]
    const blocks: readonly unknown[] = content
    const sealed = withoutUnsealed(blocks)
    if (sealed === blocks && !blocks.some(isForeign)) return [message]
    changed = true
    const rest = sealed.filter((block) => !isForeign(block))
    return rest.length === 0 ? [] : [{ ...message, content: rest }]
  })
  return changed ? kept : null
}

const isUnsigned = (block: unknown): boolean =>
  isFields(block) && block['type'] === 'thinking' && !block['signature']

/**
 * Whether a request is taken only with what was thought before its last calls: under a budget, in the middle of a turn
 * (platform.claude.com/docs, thinking in tool workflows, November 2026).
 */
function wantsThought({ thinking, messages }: Readonly<Fields>): boolean {
  if (fieldsOf(thinking)['type'] !== 'enabled') return false
  const all = listOf(messages).map(fieldsOf)
  const answered = all.findLastIndex(({ role }) => role === 'assistant')
  // Instructions may stand behind the results.
  return all
    .slice(answered + 1)
    .some(({ content }) =>
      listOf(content).some((block) => fieldsOf(block)['type'] === 'tool_result'),
    )
}

const noThinking = { thinking: null }

const isThinking = (block: unknown): boolean =>
  isFields(block) && (block['type'] === 'thinking' || block['type'] === 'redacted_thinking')

/**
 * Tools that the vendor runs cost what they cost: without a price for it none is sold. Coding clients
 * offer a search unasked, which is left out in silence where nothing forces it.
 * @throws endpoint_not_supported
 */
function refuseUnsold(body: Readonly<Fields>, { sells }: Target): void {
  const { model, tool_choice: choice } = body
  const refuse = (tool: unknown, param: string) =>
    unsoldTool(tool, { model, path: '/v1/messages', param })
  const refused = refusedTool(offeredTools(body), sells)
  if (refused !== null) throw refuse(refused.tool, refused.param)
  if (isChoiceUnsold(body, sells))
    throw refuse({ type: fieldsOf(choice)['name'] ?? 'web_search' }, 'tool_choice')
}

/** @returns null when all ids of calls fit, which spares the text of the messages */
function withFittingIds(messages: unknown): readonly unknown[] | null {
  return changedIn(listOf(messages), (message) => {
    const content = isFields(message) ? fittingBlocks(message['content']) : null
    return content === null ? message : { ...fieldsOf(message), content }
  })
}

const fittingBlocks = (content: unknown): readonly unknown[] | null =>
  changedIn(listOf(content), fittingBlock)

/** Calls and their results, whatever stands in them. Tools that the vendor ran have ids of its own. */
function fittingBlock(block: unknown): unknown {
  if (!isFields(block)) return block
  const { type, id, tool_use_id: answered, content } = block
  const set: Fields = {}
  if (type === 'tool_use' && isUnfit(id)) set['id'] = fittingCallId(id, callIdForms.anthropic)
  if (isUnfit(answered)) set['tool_use_id'] = fittingCallId(answered, callIdForms.anthropic)
  const inner = type === 'tool_result' ? fittingBlocks(content) : null
  if (inner !== null) set['content'] = inner
  return Object.keys(set).length === 0 ? block : { ...block, ...set }
}

const isUnfit = (id: unknown): id is string =>
  typeof id === 'string' && !callIdForms.anthropic.fits.test(id)

/** @returns null when nothing changed */
function changedIn(
  values: readonly unknown[],
  change: (value: unknown) => unknown,
): readonly unknown[] | null {
  const changed = values.map(change)
  return changed.some((value, at) => value !== values[at]) ? changed : null
}

/**
 * Compaction costs another pass over the conversation: it goes where the operator lets its beta through, which is
 * named by the same date (`compact_20260112`, `compact-2026-01-12`).
 * @throws endpoint_not_supported
 */
function refuseCompaction(body: Readonly<Fields>, { traits }: Target): void {
  for (const [at, edit] of listOf(fieldsOf(body['context_management'])['edits']).entries()) {
    const { type } = fieldsOf(edit)
    if (!isText(type) || !type.startsWith('compact_')) continue
    const beta = type.replace(/^compact_(\d{4})(\d{2})(\d{2})$/, 'compact-$1-$2-$3')
    const param = `context_management.edits[${at}].type`
    if (!begins(beta, traits.betas ?? []))
      throw unsupported(String(body['model']), '/v1/messages', param)
  }
}

/*
 * Betas of the Messages format that do not pass: they run other models or prices than those that are
 * sold, or name what belongs to the operator's account, which all clients share. Names are those of
 * `AnthropicBeta` in anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/beta/beta.ts`.
 */
const withheld = [
  'compact-',
  'advisor-',
  'server-side-fallback-',
  'fallback-credit-',
  'fast-mode-',
  'files-api-',
  'skills-',
  'agent-memory-',
  'managed-agents-',
  'message-threads-',
  'message-batches-',
  'user-profiles-',
]

/** Form of a beta name in a header. */
const plainName = /^[\w.-]{1,100}$/

/**
 * The betas that a client asks for, as far as they pass.
 * @param allowed beginnings of names that pass although they would not
 */
const passedBetas = (asked: string | null, allowed: readonly string[]): readonly string[] =>
  (asked ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => plainName.test(each) && (!begins(each, withheld) || begins(each, allowed)))

const begins = (name: string, beginnings: readonly string[]): boolean =>
  beginnings.some((each) => name.startsWith(each))
