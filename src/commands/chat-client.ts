import { openFrames } from '../formats/frames'
import { fieldsOf, listOf } from '../formats/chat/wire'

export interface AskChat {
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
  readonly cost_usd: string
}

/** One streamed chat call as any client makes it. @throws RangeError with what the gateway said */
export async function askChat(asked: AskChat): Promise<ChatAnswer> {
  const response = await post(asked)
  if (!response.ok || response.body === null) {
    const body = fieldsOf(await response.json().catch(() => null))
    throw new RangeError(messageOf(body['error']) ?? `the gateway answered ${response.status}`)
  }
  const frames = openFrames()
  let text = ''
  let last: Readonly<Record<string, unknown>> = {}
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    for (const data of frames.push(chunk)) {
      if (data === '[DONE]') continue
      last = fieldsOf(JSON.parse(data))
      const failed = messageOf(last['error'])
      if (failed !== null) throw new RangeError(failed)
      const piece = fieldsOf(fieldsOf(listOf(last['choices'])[0])['delta'])['content']
      if (typeof piece !== 'string') continue
      text += piece
      asked.onText(piece)
    }
  const usage = fieldsOf(last['usage'])
  return {
    id: String(last['id']),
    model: String(last['model']),
    text,
    usage: {
      prompt_tokens: Number(usage['prompt_tokens']),
      completion_tokens: Number(usage['completion_tokens']),
    },
    cost_usd: String(last['cost_usd']),
  }
}

async function post({ url, key, model, text, maxTokens }: AskChat): Promise<Response> {
  const body = {
    model,
    stream: true,
    messages: [{ role: 'user', content: text }],
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
  }
  try {
    return await fetch(`${url.replace(/\/+$/, '')}/v1/chat/completions`, {
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
