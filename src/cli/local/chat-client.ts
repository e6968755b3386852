import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../gateway/json/fields'
import { Frames } from '../../gateway/formats/frames'

interface RequestChat {
  /** Without the version. */
  readonly url: string
  readonly key: string
  readonly model: string
  readonly text: string
  readonly maxTokens: number | null
  /** Told of the answer as it comes. */
  onText(text: string): void
}

export interface ChatAnswer {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
  /** Null where the address is not one of ours. */
  readonly cost_usd: string | null
}

/** One streamed chat call as any client makes it. @throws RangeError with what the gateway said */
export async function requestChat(asked: RequestChat): Promise<ChatAnswer> {
  const response = await post(asked)
  if (!response.ok || response.body === null) {
    const body = fieldsOf(await response.json().catch(() => null))
    throw new RangeError(messageOf(body['error']) ?? `the gateway answered ${response.status}`)
  }
  let text = ''
  let last: Fields = {}
  for await (const event of eventsOf(response.body)) {
    last = event
    const piece = fieldsOf(fieldsOf(listOf(event['choices'])[0])['delta'])['content']
    if (typeof piece !== 'string') continue
    text += piece
    asked.onText(piece)
  }
  const { id, model, usage, cost_usd: cost } = last
  return {
    id: typeof id === 'string' ? id : '',
    model: typeof model === 'string' ? model : asked.model,
    text,
    usage: {
      prompt_tokens: countOf(fieldsOf(usage)['prompt_tokens']),
      completion_tokens: countOf(fieldsOf(usage)['completion_tokens']),
    },
    cost_usd: typeof cost === 'string' ? cost : null,
  }
}

const countOf = (value: unknown): number => (isCount(value) ? value : 0)

/** The events of a whole answer. @throws RangeError when it fails or ends before its end */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Fields> {
  const frames = new Frames()
  let done = false
  try {
    for await (const chunk of body)
      for (const data of frames.push(chunk)) {
        if (data === '[DONE]') {
          done = true
          continue
        }
        const event: unknown = JSON.parse(data)
        if (!isFields(event)) continue
        const failed = messageOf(event['error'])
        if (failed !== null) throw new RangeError(failed)
        yield event
      }
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    throw new RangeError('the answer broke off', { cause })
  }
  if (!done) throw new RangeError('the answer broke off')
}

async function post({ url, key, model, text, maxTokens }: RequestChat): Promise<Response> {
  const body = {
    model,
    stream: true,
    messages: [{ role: 'user', content: text }],
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
  }
  try {
    return await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'accept-language': process.env['LANG']?.startsWith('fa') ? 'fa' : 'en',
      },
      body: JSON.stringify(body),
    })
  } catch (cause) {
    throw new RangeError(`the gateway at ${url} does not answer`, { cause })
  }
}

function messageOf(error: unknown): string | null {
  const { message } = fieldsOf(error)
  return typeof message === 'string' ? message : null
}
