import { fieldsOf, isFields, listOf, type Fields } from '../../src/gateway/json/fields'
import { textOf } from '../../src/gateway/formats/chat/wire'
import type { Answered, MatrixClient, Streamed } from './run-matrix'
import type { Said, Told } from './scenarios'

function toldOf(usage: unknown): Told {
  const {
    input_tokens: input,
    input_tokens_details: details,
    output_tokens: output,
  } = fieldsOf(usage)
  const { cached_tokens: cached, cache_write_tokens: written } = fieldsOf(details)
  return {
    input: Number(input),
    cached: Number(cached),
    written: Number(written),
    output: Number(output),
  }
}

function finishOf(response: Fields, called: boolean): Said['finish'] {
  const { reason } = fieldsOf(response['incomplete_details'])
  if (reason === 'content_filter') return 'content_filter'
  if (reason === 'max_output_tokens') return 'length'
  return called ? 'tool_calls' : 'stop'
}

/** @param whole false where a call may have been cut in its arguments */
function saidIn(response: Fields, output: readonly Fields[], whole: boolean): Answered {
  const calls = output.filter(({ type }) => type === 'function_call')
  const texts = (type: string, list: 'content' | 'summary') =>
    output
      .filter((item) => item['type'] === type)
      .flatMap((item) => listOf(item[list]))
      .map((part) => textOf(fieldsOf(part)['text']) ?? '')
      .join('')
  return {
    text: texts('message', 'content'),
    reasoning: texts('reasoning', 'summary'),
    calls: calls.map(({ name, arguments: text }) => ({
      name: String(name),
      arguments: whole ? (JSON.parse(String(text)) as unknown) : text,
    })),
    finish: finishOf(response, calls.length > 0),
    told: toldOf(response['usage']),
  }
}

/** The events of a stream, each with its name before it. */
export function responseEvents(text: string): readonly (Fields & { readonly type: string })[] {
  if (!text.endsWith('\n\n')) throw new Error('a stream that ends in the middle of an event')
  return text
    .slice(0, -2)
    .split('\n\n')
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      const [, name = '', data = ''] = /^event: ([\w.]+)\ndata: (.+)$/.exec(block) ?? []
      const event = JSON.parse(data) as Fields & { type: string }
      if (event.type !== name) throw new Error(`${event.type} under the name of ${name}`)
      return event
    })
}

/** Puts a response together as the format demands, and throws where an event is out of order. */
function readResponseStream(text: string): Streamed {
  const items: Fields[] = []
  const open = new Set<number>()
  let response: Fields | null = null
  let costUsd: string | null = null
  let error: string | null = null
  let phase: 'before' | 'in' | 'over' = 'before'
  const events = responseEvents(text)
  for (const [count, event] of events.entries()) {
    const demand = (fits: boolean) => {
      if (!fits) throw new Error(`out of order: ${JSON.stringify(event)}`)
    }
    demand(phase !== 'over')
    // A vendor's own numbers pass; ours follow on.
    if (error === null) demand(Number(event['sequence_number']) <= count || phase === 'in')
    const at = Number(event['output_index'])
    const item = items[at]
    const grow = (member: string) => {
      demand(open.has(at) && item !== undefined)
      if (item !== undefined)
        item[member] = `${textOf(item[member]) ?? ''}${String(event['delta'])}`
    }
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        demand(/^resp_[0-9a-f]{32}$/.test(String(fieldsOf(event['response'])['id'])))
        phase = 'in'
        break
      case 'response.output_item.added':
        demand(phase === 'in' && at === items.length)
        items.push({ ...fieldsOf(event['item']), grown: '' })
        open.add(at)
        break
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.function_call_arguments.delta':
        grow('grown')
        break
      case 'response.output_text.done':
      case 'response.reasoning_summary_text.done':
        demand(String(item?.['grown']).endsWith(String(event['text'])))
        break
      case 'response.function_call_arguments.done':
        demand(item?.['grown'] === event['arguments'])
        break
      case 'response.content_part.added':
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
        demand(open.has(at))
        break
      case 'response.output_item.done':
        demand(open.delete(at))
        items[at] = fieldsOf(event['item'])
        break
      case 'response.completed':
      case 'response.incomplete':
        demand(phase === 'in' && open.size === 0)
        response = fieldsOf(event['response'])
        costUsd = String(event['cost_usd'])
        phase = 'over'
        break
      case 'error':
        error = String(event['code'])
        demand(fieldsOf(event['error'])['code'] === error)
        break
      case 'response.failed':
        demand(error !== null)
        response = fieldsOf(event['response'])
        costUsd = String(event['cost_usd'])
        phase = 'over'
        break
      default:
        demand(false)
    }
  }
  if (response === null || phase !== 'over') throw new Error('a stream without its end')
  const output = error === null ? listOf(response['output']).filter(isFields) : items.map(grownItem)
  if (error === null && JSON.stringify(output) !== JSON.stringify(items))
    throw new Error('the end says something else than the events before it')
  return { ...saidIn(response, output, error === null), error, costUsd }
}

/** What was said of an item that was cut. */
function grownItem(item: Fields): Fields {
  const { type, grown } = item
  if (grown === undefined) return item
  if (type === 'message') return { ...item, content: [{ type: 'output_text', text: grown }] }
  if (type === 'reasoning') return { ...item, summary: [{ text: grown }] }
  return { ...item, arguments: grown }
}

/** OpenAI's Responses. */
export const responsesClient: MatrixClient = {
  name: 'responses',
  path: '/responses',
  dialect: 'generic',
  ask: (model, { text, image, tools, effort, schema, maxTokens }, stream) => ({
    model,
    input:
      image === undefined
        ? text
        : [
            {
              role: 'user',
              content: [
                { type: 'input_text', text },
                {
                  type: 'input_image',
                  image_url: `data:image/png;base64,${image}`,
                  detail: 'auto',
                },
              ],
            },
          ],
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map((name) => ({
            type: 'function',
            name,
            parameters: { type: 'object', properties: {} },
            strict: false,
          })),
        }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    ...(schema === undefined
      ? {}
      : { text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } } }),
    ...(stream ? { stream } : {}),
  }),
  readWhole(body) {
    const response = fieldsOf(body)
    if (response['object'] !== 'response') throw new Error('no response')
    return saidIn(response, listOf(response['output']).filter(isFields), true)
  },
  readStream: readResponseStream,
  codeOf: (body) => String(fieldsOf(fieldsOf(body)['error'])['code']),
}
