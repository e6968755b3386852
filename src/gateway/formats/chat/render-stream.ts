import type { Delta, DeltaRenderer, RenderedEnd } from '../hub'
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
export const openChatRenderer = (identity: ReplyIdentity): DeltaRenderer =>
  new ChatRenderer(identity)

class ChatRenderer implements DeltaRenderer {
  readonly #identity: ReplyIdentity
  readonly #head: string
  readonly #choices = new Map<number, Choice>()
  readonly #citations = openCitations()

  constructor(identity: ReplyIdentity) {
    const { id, created, model } = identity
    this.#identity = identity
    this.#head = JSON.stringify({ id, object: chatObject, created, model }).slice(0, -1)
  }

  render(deltas: readonly Delta[]): string {
    let out = ''
    for (const delta of deltas) out += this.#renderOne(delta)
    return out
  }

  begin(): string {
    return this.#choices.size === 0 ? this.#piece(0, '') : ''
  }

  close(end: RenderedEnd): string {
    if (end.error !== null) {
      const cited = this.#citations.rest().map(([index, all]) => this.#cite(index, all))
      return cited.join('') + closingEvents(this.#identity, end)
    }
    if (this.#choices.size === 0) this.#choiceAt(0)
    let last = ''
    for (const [index, { finished, called }] of this.#choices)
      if (!finished) last += this.#finish(index, called ? 'tool_calls' : 'stop')
    return last + closingEvents(this.#identity, end)
  }

  #renderOne(delta: Delta): string {
    switch (delta.type) {
      case 'text':
        return this.#piece(
          delta.choice,
          `"content":${JSON.stringify(delta.text)}`,
          delta.logprobs === undefined
            ? ''
            : `,"logprobs":${JSON.stringify({ content: delta.logprobs, refusal: null })}`,
        )
      case 'reasoning':
        return this.#piece(delta.choice, `"reasoning_content":${JSON.stringify(delta.text)}`)
      case 'refusal':
        return this.#piece(delta.choice, `"refusal":${JSON.stringify(delta.text)}`)
      case 'annotation':
        this.#choiceAt(delta.choice)
        this.#citations.add(delta.choice, [delta.annotation])
        return ''
      case 'tool-start': {
        const { choice, tool, id, name, extra } = delta
        const called = { name, arguments: '' }
        return this.#call(choice, { index: tool, id, type: 'function', function: called, ...extra })
      }
      case 'tool-arguments':
        return this.#call(delta.choice, { index: delta.tool, function: { arguments: delta.text } })
      case 'finish':
        return this.#finish(delta.choice, delta.reason)
    }
    // Usage is told once, at the end.
    return ''
  }

  #call(index: number, deltaCall: Fields): string {
    this.#choiceAt(index).called = true
    return this.#piece(index, `"tool_calls":[${JSON.stringify(deltaCall)}]`)
  }

  #cite(index: number, annotations: readonly Fields[]): string {
    if (annotations.length === 0) return ''
    return this.#piece(index, `"annotations":${JSON.stringify(annotations)}`)
  }

  #finish(index: number, reason: FinishReason): string {
    const choice = this.#choiceAt(index)
    if (choice.finished) return ''
    const cited = this.#cite(index, this.#citations.take(index))
    const delta = choice.begun ? '' : begin
    choice.begun = true
    choice.finished = true
    return cited + this.#chunk(index, delta, reason)
  }

  /** @param says members of the delta as JSON text */
  #piece(index: number, says: string, more = ''): string {
    const choice = this.#choiceAt(index)
    if (choice.finished) return ''
    if (choice.begun) return this.#chunk(index, says, null, more)
    choice.begun = true
    // openai-node 7.55 throws "missing role" where a choice begins without one.
    return this.#chunk(index, says === '' ? begin : `"role":"assistant",${says}`, null, more)
  }

  #choiceAt(index: number): Choice {
    let choice = this.#choices.get(index)
    if (choice === undefined) {
      choice = { begun: false, finished: false, called: false }
      this.#choices.set(index, choice)
    }
    return choice
  }

  /** @param more members of the choice as JSON text, each after a comma */
  #chunk(choice: number, delta: string, finish: FinishReason | null, more = ''): string {
    return `data: ${this.#head},"choices":[{"index":${choice},"delta":{${delta}}${more},"finish_reason":${JSON.stringify(finish)}}]}\n\n`
  }
}

const begin = '"role":"assistant","content":""'
