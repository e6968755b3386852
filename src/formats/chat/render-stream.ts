import type { Delta, DeltaRenderer } from '../hub'
import { openCitations } from './citations'
import { chatObject, closingEvents } from './events'
import type { Fields } from '../../json/fields'
import type { FinishReason, ReplyIdentity } from './wire'

interface Choice {
  begun: boolean
  finished: boolean
  called: boolean
}

/**
 * Deltas as chat chunks: one role and one finish per choice. The text between the pieces of an
 * answer is the same in every chunk, and is made once.
 */
export function openChatRenderer(identity: ReplyIdentity): DeltaRenderer {
  const { id, created, model } = identity
  const head = JSON.stringify({ id, object: chatObject, created, model }).slice(0, -1)
  const choices = new Map<number, Choice>()
  const citations = openCitations()

  /** @param more members of the choice as JSON text, each after a comma */
  const chunk = (choice: number, delta: string, finish: FinishReason | null, more = ''): string =>
    `data: ${head},"choices":[{"index":${choice},"delta":{${delta}}${more},"finish_reason":${JSON.stringify(finish)}}]}\n\n`

  const choiceAt = (index: number): Choice => {
    let choice = choices.get(index)
    if (choice === undefined)
      choices.set(index, (choice = { begun: false, finished: false, called: false }))
    return choice
  }

  /** @param says members of the delta as JSON text */
  const piece = (index: number, says: string, more = ''): string => {
    const choice = choiceAt(index)
    if (choice.finished) return ''
    if (choice.begun) return chunk(index, says, null, more)
    choice.begun = true
    // Some clients need the role before anything else.
    return chunk(index, says === '' ? begin : `"role":"assistant",${says}`, null, more)
  }

  const call = (index: number, deltaCall: Fields): string => {
    choiceAt(index).called = true
    return piece(index, `"tool_calls":[${JSON.stringify(deltaCall)}]`)
  }

  const cite = (index: number, annotations: readonly Fields[]): string =>
    annotations.length === 0 ? '' : piece(index, `"annotations":${JSON.stringify(annotations)}`)

  const finish = (index: number, reason: FinishReason): string => {
    const choice = choiceAt(index)
    if (choice.finished) return ''
    const cited = cite(index, citations.take(index))
    const delta = choice.begun ? '' : begin
    choice.begun = true
    choice.finished = true
    return cited + chunk(index, delta, reason)
  }

  const renderOne = (delta: Delta): string => {
    switch (delta.type) {
      case 'text':
        return piece(
          delta.choice,
          `"content":${JSON.stringify(delta.text)}`,
          delta.logprobs === undefined
            ? ''
            : `,"logprobs":${JSON.stringify({ content: delta.logprobs, refusal: null })}`,
        )
      case 'reasoning':
        return piece(delta.choice, `"reasoning_content":${JSON.stringify(delta.text)}`)
      case 'refusal':
        return piece(delta.choice, `"refusal":${JSON.stringify(delta.text)}`)
      case 'annotation':
        choiceAt(delta.choice)
        citations.add(delta.choice, [delta.annotation])
        return ''
      case 'tool-start': {
        const { choice, tool, id: callId, name, extra } = delta
        const called = { name, arguments: '' }
        return call(choice, {
          index: tool,
          id: callId,
          type: 'function',
          function: called,
          ...extra,
        })
      }
      case 'tool-arguments':
        return call(delta.choice, { index: delta.tool, function: { arguments: delta.text } })
      case 'finish':
        return finish(delta.choice, delta.reason)
    }
    // Usage is told once, at the end.
    return ''
  }

  return {
    render(deltas) {
      let out = ''
      for (const delta of deltas) out += renderOne(delta)
      return out
    },
    begin: () => (choices.size === 0 ? piece(0, '') : ''),
    close(end) {
      if (end.error !== null) {
        const cited = citations.rest().map(([index, annotations]) => cite(index, annotations))
        return cited.join('') + closingEvents(identity, end)
      }
      if (choices.size === 0) choiceAt(0)
      let last = ''
      for (const [index, { finished, called }] of choices)
        if (!finished) last += finish(index, called ? 'tool_calls' : 'stop')
      return last + closingEvents(identity, end)
    },
  }
}

const begin = '"role":"assistant","content":""'
