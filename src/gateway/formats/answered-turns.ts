import { fieldsOf, isCount, isFields, listOf, type Fields } from '../json/fields'
import { textOf, textOrRefusal } from './chat/wire'
import { callOf } from './chat/turns'
import type { AnsweredTurn, Delta, HubChoice } from './hub'

interface Draft {
  text: string
  refusal: string
  readonly calls: Map<number, { readonly id: string; readonly name: string; arguments: string }>
}

/** The turns that a stream answers with, one of each choice, put together from its deltas. */
export class AnsweredTurns {
  readonly #drafts = new Map<number, Draft>()

  /** Takes a delta of the middle format. */
  add(delta: Delta): void {
    switch (delta.type) {
      case 'text':
        this.text(delta.choice, delta.text)
        break
      case 'refusal':
        this.#draftOf(delta.choice).refusal += delta.text
        break
      case 'tool-start':
        this.#open(delta.choice, delta.tool, delta.id, delta.name)
        break
      case 'tool-arguments':
        this.#input(delta.choice, delta.tool, delta.text)
    }
  }

  /** Takes a delta of the chat format, as its client gets it. */
  addChat(choice: number, delta: Fields): void {
    this.text(choice, textOf(delta['content']) ?? '')
    if (typeof delta['refusal'] === 'string') this.#draftOf(choice).refusal += delta['refusal']
    for (const call of listOf(delta['tool_calls']).filter(isFields)) {
      const tool = isCount(call['index']) ? call['index'] : 0
      const { name, arguments: text } = fieldsOf(call['function'])
      if (typeof call['id'] === 'string')
        this.#open(choice, tool, call['id'], typeof name === 'string' ? name : '')
      if (typeof text === 'string') this.#input(choice, tool, text)
    }
  }

  text(choice: number, text: string): void {
    if (text !== '') this.#draftOf(choice).text += text
  }

  turnOf(choice: number): AnsweredTurn {
    const { text, refusal, calls } = this.#draftOf(choice)
    const inOrder = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call)
    return { text: textOrRefusal(text, refusal), calls: inOrder }
  }

  #open(choice: number, tool: number, id: string, name: string): void {
    this.#draftOf(choice).calls.set(tool, { id, name, arguments: '' })
  }

  #input(choice: number, tool: number, text: string): void {
    const call = this.#draftOf(choice).calls.get(tool)
    if (call !== undefined) call.arguments += text
  }

  #draftOf(choice: number): Draft {
    let draft = this.#drafts.get(choice)
    if (draft === undefined)
      this.#drafts.set(choice, (draft = { text: '', refusal: '', calls: new Map() }))
    return draft
  }
}

/** The turn that a choice of a whole answer is. */
export const answeredTurn = ({ text, refusal, toolCalls }: HubChoice): AnsweredTurn => ({
  text: textOrRefusal(text ?? '', refusal),
  calls: toolCalls,
})

/** The turn that a choice in the chat format is. */
export function answeredChatTurn(choice: Fields): AnsweredTurn {
  const { content, refusal, tool_calls: calls } = fieldsOf(choice['message'])
  return {
    text: textOrRefusal(textOf(content) ?? '', refusal),
    calls: listOf(calls)
      .filter(isFields)
      .map((call, place) => callOf(call, '', place)),
  }
}
