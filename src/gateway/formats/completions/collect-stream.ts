import { isFields, listOf, type Fields } from '../../json/fields'
import type { StreamCollector } from '../stream-collector'

interface Draft {
  text: string
  finish: unknown
  /** It was ended by its vendor, and not only by the end of the stream. */
  isEnded: boolean
}

/**
 * Events of the old format as one whole answer (openai/openai-openapi `CreateCompletionResponse`, 2.3.0 of
 * 2026-08-21).
 */
export function collectCompletion(): StreamCollector {
  const choices = new Map<number, Draft>()
  let head: Fields = {}
  let isClosing = false

  const addChoice = ({ index, text, finish_reason: finish }: Fields) => {
    const draft = choices.get(Number(index)) ?? { text: '', finish: null, isEnded: false }
    choices.set(Number(index), draft)
    if (typeof text === 'string') draft.text += text
    if (finish === null || finish === undefined) return
    draft.finish = finish
    draft.isEnded = !isClosing
  }

  return {
    add({ choices: said, cost_usd: _, ...rest }) {
      head = { ...head, ...rest }
      for (const choice of listOf(said).filter(isFields)) addChoice(choice)
    },
    closing: () => void (isClosing = true),
    whole(stopped) {
      const { usage, ...rest } = head
      const whole = [...choices].sort(([a], [b]) => a - b)
      return {
        ...rest,
        choices: whole.map(([index, { text, finish, isEnded }]) => ({
          text,
          index,
          logprobs: null,
          finish_reason: stopped && !isEnded ? 'length' : finish,
        })),
        usage,
      }
    },
  }
}
