/**
 * One short conversation by the official client, in a process of its own: it insists on wss, and whom
 * it trusts is told by the environment. Prints what came.
 *
 *     realtime-talk KIND MAJOR BASE_URL KEY MODEL
 */
import { OpenAI } from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { OpenAI as OpenAI6 } from 'openai-6'
import { OpenAIRealtimeWebSocket as OpenAIRealtimeWebSocket6 } from 'openai-6/realtime/websocket'
import { OpenAIRealtimeWS as OpenAIRealtimeWS6 } from 'openai-6/realtime/ws'

/** What was said, and how it ended. */
export interface Talk {
  readonly types: readonly string[]
  readonly transcript: string
  /** Bytes of sound. */
  readonly heard: number
  readonly usage: { readonly input_tokens?: number; readonly output_tokens?: number } | null
  readonly errors: readonly string[]
  readonly closed: { readonly code: number; readonly reason: string }
}

const [kind, major, baseURL, apiKey, model = ''] = process.argv.slice(2)
const openers = {
  'ws 7': () => new OpenAIRealtimeWS({ model }, new OpenAI({ baseURL, apiKey })),
  'ws 6': () => new OpenAIRealtimeWS6({ model }, new OpenAI6({ baseURL, apiKey })),
  'native 7': () => new OpenAIRealtimeWebSocket({ model }, new OpenAI({ baseURL, apiKey })),
  'native 6': () => new OpenAIRealtimeWebSocket6({ model }, new OpenAI6({ baseURL, apiKey })),
}
const open = openers[`${kind} ${major}` as keyof typeof openers]
// The majors have the same methods under types of their own.
const client = open() as OpenAIRealtimeWS
const said = {
  types: [] as string[],
  transcript: '',
  heard: 0,
  usage: null as Talk['usage'],
  errors: [] as string[],
}

client.on('event', ({ type }) => void said.types.push(type))
client.on('error', (error) => void said.errors.push(error.error?.code ?? error.message))
client.on('session.created', () => {
  client.send({
    type: 'session.update',
    session: {
      type: 'realtime',
      instructions: 'Say it again.',
      audio: { input: { turn_detection: null } },
    },
  })
})
client.on('session.updated', () => {
  const content = [{ type: 'input_text' as const, text: 'سلام بر همه' }]
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content },
  })
  client.send({ type: 'response.create' })
})
client.on('response.output_audio_transcript.delta', ({ delta }) => void (said.transcript += delta))
client.on('response.output_audio.delta', ({ delta }) => {
  said.heard += Buffer.from(delta, 'base64').byteLength
})
client.on('response.done', ({ response }) => {
  said.usage = response.usage ?? null
  client.close()
})
client.socket.addEventListener('close', ({ code, reason }) => {
  process.stdout.write(JSON.stringify({ ...said, closed: { code, reason } }))
})
