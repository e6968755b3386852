import { fieldsOf, isCount, type Fields } from '../../json/fields'

/**
 * The output (openai/openai-openapi `OutputItem`) of a vendor's stream as far as it came, for clients of
 * one that breaks.
 */
interface PartialOutput {
  added(event: Fields): void
  done(event: Fields): void
  /** A piece of the item that is open. @param type of its event */
  piece(type: string, text: string): void
  items(): readonly Fields[]
}

interface Open {
  readonly index: number
  readonly item: Fields
  /** Text of its pieces, one run for each type. */
  readonly said: { readonly type: string; text: string }[]
}

export function openPartialOutput(): PartialOutput {
  const whole: Fields[] = []
  const open = new Map<number, Open>()
  /** The one that pieces belong to: vendors say one item after the other. */
  let last: Open | null = null
  const indexOf = ({ output_index: index }: Fields) => (isCount(index) ? index : whole.length)

  return {
    added(event) {
      const index = indexOf(event)
      last = { index, item: fieldsOf(event['item']), said: [] }
      open.set(index, last)
    },
    done(event) {
      const index = indexOf(event)
      whole[index] = fieldsOf(event['item'])
      open.delete(index)
    },
    piece(type, text) {
      const run = last?.said.at(-1)
      if (run?.type === type) run.text += text
      else last?.said.push({ type, text })
    },
    items() {
      const items = [...whole]
      for (const each of open.values()) items[each.index] = cut(each)
      return items.filter((item) => item !== undefined)
    },
  }
}

function cut({ item, said }: Open): Fields {
  const part = (kind: string): string | undefined => {
    const runs = said.filter(({ type }) => type === `response.${kind}.delta`)
    return runs.length === 0 ? undefined : runs.map(({ text }) => text).join('')
  }
  const status = 'incomplete'
  switch (item['type']) {
    case 'message': {
      const [text, refusal] = [part('output_text'), part('refusal')]
      const content = [
        ...(text === undefined
          ? []
          : [{ type: 'output_text', text, annotations: [], logprobs: [] }]),
        ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
      ]
      return { ...item, status, content }
    }
    case 'function_call':
      return { ...item, status, arguments: part('function_call_arguments') ?? '' }
    case 'custom_tool_call':
      return { ...item, status, input: part('custom_tool_call_input') ?? '' }
    case 'reasoning': {
      const text = part('reasoning_summary_text')
      return { ...item, summary: text === undefined ? [] : [{ type: 'summary_text', text }] }
    }
  }
  return item
}
