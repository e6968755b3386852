import type { Delta, DeltaStream } from '../hub'
import { openChoices } from './choices'
import { openChatKeepsakes } from './keepsakes'
import type { ChatParts } from './parse-reply'
import { usageOfChunk } from './usage'
import { fieldsOf, finishReasonOf, isCount, isFields, listOf, textOf, type Fields } from './wire'

const none: readonly Delta[] = []

/** A vendor's chat stream as deltas, for clients of other formats. */
export function openChatDeltas({ id, normalise, refuseFailure }: ChatParts): DeltaStream {
  const choices = openChoices(id, () => {})
  const { observe, keepsakes } = openChatKeepsakes()
  let done = false
  let closedCleanly = false
  let begun = false

  return {
    event(data) {
      if (done || data === '') return none
      if (data.startsWith('[DONE]')) {
        done = true
        return none
      }
      const chunk: unknown = JSON.parse(data)
      if (!isFields(chunk)) throw new Error('an event that is no object')
      refuseFailure(chunk)
      normalise(chunk)
      const deltas: Delta[] = []
      const usage = usageOfChunk(chunk)
      if (usage !== null) deltas.push({ type: 'usage', usage })
      for (const choice of choices.pass(listOf(chunk['choices']))) {
        begun = true
        const index = Number(choice['index'])
        const delta = fieldsOf(choice['delta'])
        observe(index, delta)
        addDeltas(deltas, index, delta)
        const reason = finishReasonOf(choice['finish_reason'], false)
        if (reason !== null)
          deltas.push({ type: 'finish', choice: index, reason, stopSequence: null })
      }
      return deltas
    },
    ended() {
      closedCleanly = true
      return none
    },
    begun: () => begun,
    complete: () => done || (closedCleanly && choices.allFinished()),
    keepsakes,
  }
}

function addDeltas(deltas: Delta[], choice: number, delta: Fields): void {
  const add = (type: 'text' | 'reasoning' | 'refusal', text: unknown) => {
    if (typeof text === 'string' && text !== '') deltas.push({ type, choice, text })
  }
  add('reasoning', delta['reasoning_content'])
  add('text', textOf(delta['content']))
  add('refusal', delta['refusal'])
  for (const call of listOf(delta['tool_calls'])) if (isFields(call)) addCall(deltas, choice, call)
  for (const annotation of listOf(delta['annotations']))
    if (isFields(annotation)) deltas.push({ type: 'annotation', choice, annotation })
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
    })
  if (typeof text === 'string' && text !== '')
    deltas.push({ type: 'tool-arguments', choice, tool, text })
}
