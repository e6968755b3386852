import type { ModelType, PriceLine } from '../../src/domain/model'
import type { Storage } from '../../src/business/data/storage'
import { chunk, failure, streamReply, type Script } from '../support/stand-in'

/** What clients write, and what vendors repeat of it. With a blank it is no name of anything. */
export const canary = 'kanarya saghir'
/** In any file, line or series this tells of it. */
export const mark = /kanarya/i

/** A gateway's models by their type: each at the vendors named, all of which are one stand-in. */
const sold: readonly { readonly type: ModelType; readonly at: readonly string[] }[] = [
  { type: 'chat', at: ['openai', 'anthropic', 'google'] },
  { type: 'embedding', at: ['openai', 'google'] },
  { type: 'moderation', at: ['openai'] },
  { type: 'image', at: ['openai', 'google'] },
  { type: 'audio_tts', at: ['openai', 'google', 'elevenlabs', 'deepgram'] },
  { type: 'music', at: ['google', 'elevenlabs'] },
  { type: 'audio_stt', at: ['openai', 'google', 'anthropic', 'elevenlabs', 'deepgram'] },
  { type: 'video', at: ['openai', 'google'] },
]
const prices: Readonly<Record<string, readonly PriceLine[]>> = {
  image: [{ meter: 'image', unit: 'each', price: '0.01' }],
  audio_tts: [{ meter: 'character', unit: 'million', price: '1' }],
  audio_stt: [{ meter: 'audio_second', unit: 'minute', price: '0.006' }],
  music: [{ meter: 'request', unit: 'each', price: '0.01' }],
  moderation: [{ meter: 'request', unit: 'each', price: '0.01' }],
  video: [{ meter: 'video_second', unit: 'each', price: '0.01' }],
}
const byToken: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '1' },
  { meter: 'output', unit: 'million', price: '1' },
]
export const idOf = (type: string, vendor: string) => `${type.replace('_', '-')}-${vendor}`
const modelsOf = (type: ModelType) =>
  sold.flatMap((each) => (each.type === type ? each.at.map((at) => idOf(type, at)) : []))

/** Puts all of them into the catalogue. */
export async function fill(storage: Storage, url: string): Promise<void> {
  const { catalogue } = storage
  for (const kind of ['openai', 'anthropic', 'google', 'elevenlabs', 'deepgram'] as const)
    await catalogue.saveVendor({
      name: kind,
      kind,
      dialect: kind === 'openai' ? 'openai' : 'generic',
      baseUrl: url,
      credential: 'sk-vendor-secret',
      timeoutMs: 250,
      transport: 'own',
      active: true,
      source: 'command',
    })
  for (const { type, at } of sold)
    for (const vendor of at)
      await catalogue.saveModel(
        {
          id: idOf(type, vendor),
          type,
          name: type,
          ownedBy: vendor,
          description: null,
          contextLength: null,
          maxOutputTokens: null,
          capabilities: { streaming: true, tools: true, translation: true },
          traits: {},
          isFree: false,
          status: 'active',
          routes: [{ vendor, vendorModel: `${type}-model`, priority: 0, weight: 1 }],
        },
        prices[type] ?? byToken,
      )
}

const quoting = {
  message: `no: ${canary}`,
  type: canary,
  code: canary,
  param: `messages ${canary}`,
  status: canary,
}
const sse = (...events: readonly string[]) => streamReply(events)

/** Everything a vendor can do wrong, each quoting what it was asked. */
export const scripts: Readonly<Record<string, Script>> = {
  'a refusal': failure(400, quoting),
  'a refusal of the key': failure(401, quoting),
  'a refusal of the model': failure(404, quoting),
  'a refusal by rate': failure(429, quoting, { 'retry-after': '1' }),
  'a failure': failure(500, quoting),
  'a refusal as details': () =>
    Response.json(
      { detail: [{ loc: ['body', canary], msg: canary, type: canary, input: canary }] },
      { status: 422 },
    ),
  'a refusal within a refusal': failure(400, {
    ...quoting,
    metadata: { raw: JSON.stringify({ error: quoting }) },
  }),
  'a refusal in plain text': () => new Response(canary, { status: 400 }),
  'a refusal that is broken JSON': () => new Response(`{"error": ${canary}`, { status: 400 }),
  'an answer that is broken JSON': () => new Response(`{"choices": ${canary}`),
  'an answer that is an error': () => Response.json({ error: quoting, type: 'error' }),
  'an answer of another form': () =>
    Response.json({
      id: canary,
      choices: canary,
      data: canary,
      content: canary,
      output: canary,
      candidates: canary,
      results: canary,
    }),
  'an answer with odd members': () =>
    Response.json({
      id: canary,
      model: canary,
      status: canary,
      choices: [{ index: 0, finish_reason: canary, message: { role: canary, content: canary } }],
      candidates: [
        { finishReason: canary, finishMessage: canary, content: { parts: [{ text: canary }] } },
      ],
      promptFeedback: { blockReason: canary },
      usage: { prompt_tokens: 1, completion_tokens: 1, [canary]: 1 },
    }),
  'an answer coded in an unknown way': () =>
    new Response('x', { headers: { 'content-encoding': canary } }),
  'an answer of an odd type': () =>
    new Response(canary, { headers: { 'content-type': `audio/${canary}` } }),
  'a stream that is an error': () =>
    sse(`event: error\ndata: ${JSON.stringify({ type: 'error', error: quoting })}\n\n`),
  'a stream with an error in it': () =>
    sse(chunk({ content: canary }), `data: ${JSON.stringify({ error: quoting })}\n\n`),
  'a stream with broken JSON in it': () =>
    sse(chunk({ content: canary }), `data: {"choices": ${canary}\n\n`),
  'a stream that breaks': () =>
    streamReply([chunk({ content: canary }), chunk({})], { cutAfter: 1 }),
  'a stream that ends early': () => sse(chunk({ content: canary })),
}

const wav = (() => {
  const bytes = Buffer.alloc(44 + 32_000)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(16_000, 24)
  bytes.writeUInt32LE(32_000, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(32_000, 40)
  bytes.write(canary, 44)
  return new Uint8Array(bytes)
})()

export interface Sent {
  readonly path: string
  readonly body: object | string | FormData
}

const said = [{ role: 'user', content: canary }]
const tool = { name: 'f', description: canary }
/** A recording that says it, in a file that is called so. */
export const form = (fields: Readonly<Record<string, string>>): FormData => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', new Blob([wav]), `${canary}.wav`)
  return body
}

/** Requests of every endpoint that asks a vendor, to each of its vendors. */
export const requests = (): readonly Sent[] => [
  ...modelsOf('chat').flatMap((model) => [
    ...[true, false].flatMap((stream) => [
      {
        path: '/chat/completions',
        body: {
          model,
          stream,
          messages: said,
          user: canary,
          metadata: { a: canary },
          tools: [{ type: 'function', function: tool }],
        },
      },
      { path: '/messages', body: { model, stream, max_tokens: 9, system: canary, messages: said } },
      { path: '/responses', body: { model, stream, instructions: canary, input: canary } },
      {
        path: '/responses',
        body: {
          model,
          stream,
          input: [{ role: 'user', content: canary }, { type: 'compaction_trigger' }],
        },
      },
    ]),
    { path: '/completions', body: { model, prompt: canary } },
    { path: '/responses/compact', body: { model, input: canary } },
    { path: '/messages/count_tokens', body: { model, messages: said } },
  ]),
  ...modelsOf('embedding').map((model) => ({
    path: '/embeddings',
    body: { model, input: canary },
  })),
  ...modelsOf('moderation').map((model) => ({
    path: '/moderations',
    body: { model, input: canary },
  })),
  ...modelsOf('image').map((model) => ({
    path: '/images/generations',
    body: { model, prompt: canary },
  })),
  ...modelsOf('audio_tts').map((model) => ({
    path: '/audio/speech',
    body: { model, input: canary, voice: 'alloy', instructions: canary },
  })),
  ...modelsOf('music').map((model) => ({ path: '/audio/music', body: { model, prompt: canary } })),
  ...modelsOf('audio_stt').map((model) => ({
    path: '/audio/transcriptions',
    body: form({ model, prompt: canary }),
  })),
  ...modelsOf('audio_stt').map((model) => ({
    path: '/audio/translations',
    body: form({ model, prompt: canary }),
  })),
  ...modelsOf('video').map((model) => ({ path: '/videos', body: { model, prompt: canary } })),
]
