import type { Delta, DeltaStream } from '../hub'
import { openChoices } from './choices'
import { referenceAnnotation } from './citations'
import { openChatProviderStates } from './provider-states'
import type { ChatParts } from './parse-reply'
import { isPlainContent } from './stream'
import { extraOf } from './tool-calls'
import { pieceForm, type PieceForm } from './text-splice'
import { reportsBoth } from '../plausible-usage'
import { usageOfChunk } from './usage'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { finishReasonOf, isAnswer, textOf } from './wire'

const none: readonly Delta[] = []

/**
 * A vendor's chat stream as deltas, for clients of other formats.
 * @see openai/openai-openapi `CreateChatCompletionStreamResponse`, 2.3.0 of 2026-08-21
 */
export function openChatDeltas({ id, n, normalise, refuseFailure }: ChatParts): DeltaStream {
  const choices = openChoices(id, { text() {}, sound() {}, pictures() {} })
  const { observe, providerStates } = openChatProviderStates()
  const called = new Set<number>()
  let done = false
  let closedCleanly = false
  let finished = false
  /** Of the last event that was nothing but text. */
  let form: PieceForm | null = null
  let formsLeft = maxForms

  const deltasOf = (passed: readonly Fields[]): Delta[] => {
    const deltas: Delta[] = []
    for (const choice of passed) {
      const index = Number(choice['index'])
      const delta = fieldsOf(choice['delta'])
      observe(index, delta, choices.thoughtIn())
      addDeltas(deltas, index, delta, listOf(fieldsOf(choice['logprobs'])['content']))
      if (delta['tool_calls'] !== undefined) called.add(index)
      // What has no form in the middle was not called there: functions in the old form.
      const reason = finishReasonOf(choice['finish_reason'], called.has(index))
      if (reason !== null)
        deltas.push({ type: 'finish', choice: index, reason, stopSequence: null })
    }
    return deltas
  }

  return {
    event(data) {
      if (done || data === '') return none
      if (data.startsWith('[DONE]')) {
        choices.over()
        done = true
        return deltasOf(choices.finish())
      }
      const piece = form?.match(data) ?? null
      if (piece !== null) return [{ type: 'text', choice: 0, text: piece.text }]
      const chunk: unknown = JSON.parse(data)
      if (!isFields(chunk)) throw new Error('event is not a JSON object')
      if (!isAnswer(chunk)) refuseFailure(chunk)
      normalise(chunk)
      const deltas: Delta[] = []
      const usage = usageOfChunk(chunk)
      if (usage !== null) deltas.push({ type: 'usage', usage })
      const raw = listOf(chunk['choices'])
      // Usage on its own is the last thing that a vendor says.
      if (finished && raw.length === 0 && reportsBoth(usage)) done = true
      const passed = choices.pass(raw)
      if (passed.some((choice) => choice['finish_reason'] !== null))
        finished = choices.haveFinished(n ?? 1)
      deltas.push(...deltasOf(passed))
      if (!choices.plain()) form = null
      else if (formsLeft > 0 && isTextAlone(chunk, deltas)) {
        form = textForm(data)
        formsLeft--
      }
      return deltas
    },
    ended() {
      closedCleanly = true
      return none
    },
    finished: () => finished,
    complete: () => done || (closedCleanly && choices.allFinished()),
    providerStates,
  }
}

/** A vendor that writes each event differently is parsed; learning again and again would only cost. */
const maxForms = 8

/** The form of such an event, where its text stands in the place of the answer and in no other. */
function textForm(data: string): PieceForm | null {
  const form = pieceForm(data)
  if (form === null) return null
  const standIn = 'stand-in'
  const chunk: unknown = JSON.parse(form.prefix + standIn + form.suffix)
  const [choice] = listOf(fieldsOf(chunk)['choices'])
  return fieldsOf(fieldsOf(choice)['delta'])['content'] === standIn ? form : null
}

/** The event says one text of the first choice, and nothing else that could be said again. */
function isTextAlone(chunk: Fields, deltas: readonly Delta[]): boolean {
  const [delta, ...more] = deltas
  const [choice, ...others] = listOf(chunk['choices'])
  if (delta?.type !== 'text' || delta.choice !== 0 || more.length > 0) return false
  if (!isFields(choice) || others.length > 0 || chunk['error'] || chunk['x_groq']) return false
  const { logprobs } = choice
  return (logprobs ?? null) === null && isPlainContent(choice['delta'], delta.text)
}

function addDeltas(
  deltas: Delta[],
  choice: number,
  delta: Fields,
  logprobs: readonly unknown[],
): void {
  const add = (type: 'text' | 'reasoning' | 'refusal', text: unknown) => {
    if (typeof text === 'string' && text !== '') deltas.push({ type, choice, text })
  }
  add('reasoning', delta['reasoning_content'])
  const text = textOf(delta['content'])
  if (text !== null && text !== '' && logprobs.length > 0)
    deltas.push({ type: 'text', choice, text, logprobs })
  else add('text', text)
  add('refusal', delta['refusal'])
  for (const call of listOf(delta['tool_calls'])) if (isFields(call)) addCall(deltas, choice, call)
  for (const annotation of listOf(delta['annotations']))
    if (isFields(annotation))
      deltas.push({ type: 'annotation', choice, annotation: referenceAnnotation(annotation) })
}

function addCall(deltas: Delta[], choice: number, call: Fields): void {
  const tool = isCount(call['index']) ? call['index'] : 0
  const { name, arguments: text } = fieldsOf(call['function'])
  if (typeof call['id'] === 'string')
    deltas.push({
      type: 'tool-start',
      choice,
      tool,
      id: call['id'],
      name: typeof name === 'string' ? name : '',
      ...extraOf(call),
    })
  if (typeof text === 'string' && text !== '')
    deltas.push({ type: 'tool-arguments', choice, tool, text })
}
