import { openToolCallOrder, type ToolCallOrder } from './tool-calls'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { finishReasonOf, textOf, thoughtMember, type ThoughtMember } from './wire'

/** The choices of one stream, each with its role once and its finish once. */
export interface Choices {
  /**
   * A vendor's choices as clients expect them; those that say nothing are left out.
   * @throws Error when there are too many of them, or of their calls
   */
  pass(choices: readonly unknown[]): Fields[]
  /** The vendor says that its stream is over. @throws Error when it named no choice */
  over(): void
  /** At least one began and all that began have finished. */
  allFinished(): boolean
  /** As many as that began, and have finished. */
  haveFinished(count: number): boolean
  /** One choice, begun, still running: its text may be spliced. */
  plain(): boolean
  /** The member that the vendor thinks in. */
  thoughtIn(): ThoughtMember
  /** Finishes for choices that the vendor left without one. */
  finish(): Fields[]
}

interface Choice {
  begun: boolean
  finished: boolean
  /** By a function in the old form, too. */
  called: boolean
  readonly calls: ToolCallOrder
}

/** Counter of billable output on its way to the client. */
interface Sent {
  text(text: string): void
  /** @param data base64 */
  sound(data: string): void
  pictures(count: number): void
}

/** More than any client may ask for. All are looked at again with each event. */
const maxChoices = 128

export function openChoices(id: string, sent: Sent): Choices {
  const choices = new Map<number, Choice>()
  let thoughtIn: ThoughtMember = 'reasoning_content'

  const choiceAt = (index: number): Choice => {
    let choice = choices.get(index)
    if (choice === undefined) {
      if (choices.size >= maxChoices) throw new Error('too many choices')
      const calls = openToolCallOrder((call) => `call_${id.slice(-20)}${index}${call}`)
      choice = { begun: false, finished: false, called: false, calls }
      choices.set(index, choice)
    }
    return choice
  }

  const passOne = (raw: unknown): Fields | null => {
    if (!isFields(raw)) return null
    const index = isCount(raw['index']) ? raw['index'] : 0
    const choice = choiceAt(index)
    if (choice.finished) return null
    const said = fieldsOf(raw['delta'] ?? raw['message'])
    const delta = deltaOf(said, choice, sent)
    if (delta['reasoning_content'] !== undefined) thoughtIn = thoughtMember(said)
    choice.called ||= choice.calls.any || isFields(said['function_call'])
    const finish = finishReasonOf(raw['finish_reason'], choice.called)
    if (finish !== null) completeCalls(delta, choice.calls)
    const { logprobs } = raw
    const says = Object.keys(delta).length > 0 || finish !== null || isFields(logprobs)
    if (!says) return null
    if (!choice.begun) {
      choice.begun = true
      // openai-node 7.55 throws "missing role" where a choice begins without one.
      Object.assign(delta, { role: 'assistant', ...delta })
    }
    choice.finished = finish !== null
    const out: Fields = { index, delta, finish_reason: finish }
    if (logprobs === null || isFields(logprobs)) out['logprobs'] = logprobs
    return out
  }

  const allFinished = (): boolean =>
    choices.size > 0 && [...choices.values()].every(({ finished }) => finished)

  return {
    pass: (raw) => raw.map(passOne).filter((choice) => choice !== null),
    over() {
      if (choices.size === 0) throw new Error('a stream without an answer')
    },
    allFinished,
    haveFinished: (count) => choices.size >= count && allFinished(),
    plain() {
      const only = choices.size === 1 ? choices.get(0) : undefined
      return only !== undefined && only.begun && !only.finished
    },
    thoughtIn: () => thoughtIn,
    finish() {
      if (choices.size === 0) choiceAt(0)
      return [...choices].flatMap(([index, choice]) => {
        if (choice.finished) return []
        choice.finished = true
        const reason = finishReasonOf('stop', choice.called)
        const delta: Fields = choice.begun ? {} : { role: 'assistant', content: '' }
        completeCalls(delta, choice.calls)
        return [{ index, delta, finish_reason: reason }]
      })
    },
  }
}

/** @param delta that ends the choice */
function completeCalls(delta: Fields, calls: ToolCallOrder): void {
  const all = calls.complete(listOf(delta['tool_calls']).filter(isFields))
  if (all.length > 0) delta['tool_calls'] = all
}

const handled = new Set([
  'role',
  'content',
  'reasoning',
  'reasoning_content',
  'refusal',
  'tool_calls',
])

function deltaOf(raw: Fields, choice: Choice, sent: Sent): Fields {
  const delta: Fields = {}
  if (!choice.begun && typeof raw['role'] === 'string') delta['role'] = 'assistant'
  const content = textOf(raw['content'])
  if (content !== null && (content !== '' || !choice.begun)) delta['content'] = content
  const reasoning = textOf(raw['reasoning_content']) ?? textOf(raw['reasoning'])
  if (reasoning) delta['reasoning_content'] = reasoning
  const { refusal } = raw
  if (typeof refusal === 'string') delta['refusal'] = refusal
  const calls = choice.calls.arrange(raw['tool_calls'])
  if (calls.length > 0) delta['tool_calls'] = calls
  for (const name in raw)
    if (!handled.has(name) && raw[name] !== null && raw[name] !== undefined) delta[name] = raw[name]
  sent.text(content ?? '')
  sent.text(reasoning ?? '')
  if (typeof refusal === 'string') sent.text(refusal)
  const { data, transcript } = fieldsOf(raw['audio'])
  if (typeof transcript === 'string') sent.text(transcript)
  if (typeof data === 'string') sent.sound(data)
  // Where OpenRouter's models that draw put what they drew (openrouter.ai/docs, image generation, 2026-11).
  if (Array.isArray(raw['images'])) sent.pictures(raw['images'].length)
  for (const call of calls) {
    const called = fieldsOf(call['function'])
    if (typeof called['name'] === 'string') sent.text(called['name'])
    if (typeof called['arguments'] === 'string') sent.text(called['arguments'])
  }
  return delta
}
