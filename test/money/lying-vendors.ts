import type { ModelType, PriceLine, Traits } from '../../src/domain/model'
import type { Storage } from '../../src/business/data/storage'
import { openRealtimeStandIn } from '../support/realtime-stand-in'
import { message, response, responseStream } from '../support/responses-stand-in'
import { openaiStream, openStandIn, streamReply, wholeReply } from '../support/stand-in'
import { openVideoStandIn } from '../support/video-stand-in'

/** What a vendor says, and what it counts for it. */
export interface Lie {
  /** Words of its answer. */
  readonly words: number
  readonly input: number
  readonly output: number
}

/** Vendors of every endpoint, which all tell the same lie for now. */
export interface LyingVendors {
  lie(lie: Lie): void
  prepare(storage: Storage): Promise<void>
  close(): Promise<void>
}

const textPrices: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '3' },
  { meter: 'cached_input', unit: 'million', price: '0.3' },
  { meter: 'output', unit: 'million', price: '15' },
  { meter: 'tool:web_search', unit: 'each', price: '0.01' },
]

interface Sold {
  readonly id: string
  readonly type: ModelType
  readonly kind?: 'anthropic' | 'elevenlabs'
  readonly dialect?: 'openai'
  readonly lines: readonly PriceLine[]
  readonly traits?: Traits
  readonly context?: number
  readonly maxOutput?: number
}

const sold: readonly Sold[] = [
  { id: 'gpt', type: 'chat', dialect: 'openai', lines: textPrices, context: 100_000 },
  { id: 'claude', type: 'chat', kind: 'anthropic', lines: textPrices, maxOutput: 16_000 },
  {
    id: 'embed',
    type: 'embedding',
    lines: [{ meter: 'input', unit: 'million', price: '100' }],
  },
  { id: 'judge', type: 'moderation', lines: [{ meter: 'input', unit: 'million', price: '100' }] },
  {
    id: 'paint',
    type: 'image',
    dialect: 'openai',
    lines: [
      { meter: 'input', unit: 'million', price: '5' },
      { meter: 'output_image', unit: 'million', price: '40' },
    ],
  },
  {
    id: 'listen',
    type: 'audio_stt',
    dialect: 'openai',
    lines: [{ meter: 'audio_second', unit: 'minute', price: '0.6' }],
  },
  {
    id: 'speak',
    type: 'audio_tts',
    dialect: 'openai',
    lines: [
      { meter: 'input', unit: 'million', price: '2.5' },
      { meter: 'output_audio', unit: 'million', price: '120' },
    ],
  },
  {
    id: 'compose',
    type: 'music',
    kind: 'elevenlabs',
    lines: [{ meter: 'request', unit: 'each', price: '0.04' }],
  },
]

export function openLyingVendors(): LyingVendors {
  let now: Lie = { words: 1, input: 1, output: 1 }
  const films = openVideoStandIn()
  const voice = openRealtimeStandIn()
  voice.play((socket, { type }) => {
    if (type !== 'response.create') return
    const usage = { input_tokens: now.input, output_tokens: now.output }
    const delta = 'word '.repeat(now.words)
    for (const event of [
      { type: 'response.created', response: { id: 'r', status: 'in_progress' } },
      { type: 'response.output_text.delta', response_id: 'r', delta },
      { type: 'response.done', response: { id: 'r', status: 'completed', usage } },
    ])
      socket.send(event)
  })
  const vendor = openStandIn(async ({ path, body }) => {
    const stream = body['stream'] === true
    const said = 'word '.repeat(now.words).trim()
    const { input, output } = now
    const total_tokens = input + output
    const tokens = { input_tokens: input, output_tokens: output, total_tokens }
    const chat = { prompt_tokens: input, completion_tokens: output, total_tokens }
    if (path.endsWith('/chat/completions'))
      return stream ? streamReply(openaiStream(said, chat)) : wholeReply(said, chat)
    if (path.endsWith('/responses')) {
      const told = { usage: tokens }
      return stream
        ? streamReply(responseStream([message(said)], told))
        : Response.json(response([message(said)], told))
    }
    if (path.endsWith('/messages')) return lyingMessage(said, tokens, stream)
    if (path.endsWith('/embeddings'))
      return Response.json({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
        usage: { prompt_tokens: input, total_tokens: input },
      })
    if (path.endsWith('/moderations'))
      return Response.json({ id: 'm', results: [{ flagged: false }], usage: chat })
    if (path.endsWith('/images/generations'))
      return Response.json({ created: 1, data: [{ b64_json: 'AAAA' }], usage: tokens })
    if (path.endsWith('/audio/speech')) return speech(now, stream || true)
    if (path.includes('/music'))
      return new Response(new Uint8Array(5000), { headers: { 'content-type': 'audio/mpeg' } })
    return Response.json({ text: said, usage: { type: 'duration', seconds: output } })
  })

  return {
    lie: (lie) => void (now = lie),
    async prepare(storage) {
      for (const each of sold) await save(storage, vendor.url, each)
      await saveElsewhere(storage, films.url, 'film', {
        type: 'video',
        capabilities: { seconds: ['4'], sizes: ['720x1280'] },
        traits: {},
        lines: [{ meter: 'video_second', unit: 'each', price: '0.01' }],
      })
      await saveElsewhere(storage, voice.url, 'voice', {
        type: 'chat',
        capabilities: { realtime: true },
        traits: { realtime: true },
        lines: (['input', 'output', 'input_audio', 'output_audio'] as const).map((meter) => ({
          meter,
          unit: 'million',
          price: '20',
        })),
      })
    },
    async close() {
      await Promise.all([vendor.close(), films.close(), voice.close()])
    },
  }
}

function speech({ words, input, output }: Lie, _: boolean): Response {
  const audio = Buffer.from(new Uint8Array(words * 100 + 2000)).toString('base64')
  const events = [
    { type: 'speech.audio.delta', audio },
    {
      type: 'speech.audio.done',
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    },
  ]
  const text = events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

function lyingMessage(text: string, usage: object, stream: boolean): Response {
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
  if (!stream)
    return Response.json({
      ...base,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage,
    })
  const pieces = text.match(/\s*\S+/g) ?? []
  const events = [
    { type: 'message_start', message: { ...base, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces.map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: piece },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  return streamReply(events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`))
}

const vendorOf = (name: string, kind: string, dialect: string, baseUrl: string) =>
  ({
    name,
    kind,
    dialect,
    baseUrl,
    credential: 'sk-vendor-secret',
    timeoutMs: 30_000,
    transport: 'own',
    active: true,
    source: 'command',
  }) as const

const modelOf = (id: string) =>
  ({
    id,
    name: id,
    ownedBy: id,
    description: null,
    isFree: false,
    status: 'active',
    routes: [{ vendor: id, vendorModel: `vendor-${id}`, priority: 0, weight: 1 }],
  }) as const

async function save(storage: Storage, url: string, model: Sold): Promise<void> {
  const { id, type, kind = 'openai', dialect = 'generic', lines, traits = {} } = model
  await storage.catalogue.saveVendor(vendorOf(id, kind, dialect, url))
  const { context = null, maxOutput = null } = model
  await storage.catalogue.saveModel(
    {
      ...modelOf(id),
      type,
      contextLength: context,
      maxOutputTokens: maxOutput,
      capabilities: type === 'chat' ? { streaming: true, tools: true } : { streaming: true },
      traits,
    },
    lines,
  )
}

interface Elsewhere {
  readonly type: ModelType
  readonly capabilities: object
  readonly traits: Traits
  readonly lines: readonly PriceLine[]
}

async function saveElsewhere(
  storage: Storage,
  url: string,
  id: string,
  model: Elsewhere,
): Promise<void> {
  const { type, capabilities, traits, lines } = model
  await storage.catalogue.saveVendor(vendorOf(id, 'openai', 'openai', url))
  await storage.catalogue.saveModel(
    { ...modelOf(id), type, contextLength: null, maxOutputTokens: null, capabilities, traits },
    lines,
  )
}
