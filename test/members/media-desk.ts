import type { ModelType, PriceLine } from '../../src/domain/model'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { openTestGateway } from '../support/gateway'
import { openListener, type HeardRequest, type Play } from '../support/listener'
import { secondOfSilence } from '../support/silence'
import { addTypedVendor, type TypedVendor } from '../support/typed-vendor'
import type { Outcome } from './verdict'

/** Vendors of pictures, sound and vectors. */
const vendors = [
  'openai',
  'generic',
  'xai',
  'together',
  'mistral',
  'google',
  'elevenlabs',
  'deepgram',
] as const
export type Vendor = (typeof vendors)[number]

const kinds = new Set<string>(['google', 'elevenlabs', 'deepgram'])

const lines: Readonly<Partial<Record<ModelType, readonly PriceLine[]>>> = {
  image: [
    { meter: 'input', unit: 'million', price: '5' },
    { meter: 'output_image', unit: 'million', price: '40' },
  ],
  embedding: [{ meter: 'input', unit: 'million', price: '1' }],
  audio_tts: [{ meter: 'character', unit: 'million', price: '15' }],
  audio_stt: [{ meter: 'audio_second', unit: 'minute', price: '0.006' }],
  moderation: [{ meter: 'request', unit: 'each', price: '0.001' }],
  video: [{ meter: 'video_second', unit: 'each', price: '0.1' }],
}
export type Medium = 'image' | 'embedding' | 'audio_tts' | 'audio_stt' | 'moderation' | 'video'

export interface MediaDesk {
  /** @param body as JSON, or with `file` as a form */
  ask(path: string, body: Fields): Promise<Outcome>
  close(): Promise<void>
}

const data = Buffer.from('some bytes').toString('base64')
const inline = (mimeType: string) => ({ inlineData: { mimeType, data } })
const said = (part: object) =>
  Response.json({
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
  })

const answer: Play = ({ path }) => {
  if (path.endsWith('/images/generations')) return Response.json({ data: [{ b64_json: data }] })
  if (path.includes('/image-')) return said(inline('image/png'))
  if (path.includes('batchEmbed')) return Response.json({ embeddings: [{ values: [1, 0] }] })
  if (path.endsWith('/embeddings'))
    return Response.json({ data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1 } })
  if (path.includes('/audio_tts-')) return said(inline('audio/L16;codec=pcm;rate=24000'))
  if (/\/(?:speech|speak|text-to-speech\/.*)$/.test(path))
    return new Response(new Uint8Array(2000), { headers: { 'content-type': 'audio/mpeg' } })
  if (path.includes('/audio_stt-')) return said({ text: 'hello' })
  if (path.endsWith('/listen'))
    return Response.json({
      results: { channels: [{ alternatives: [{ transcript: 'hello', words: [] }] }] },
    })
  if (path.endsWith('/moderations')) return Response.json({ results: [{ flagged: false }] })
  if (path.includes('/videos'))
    return Response.json({ id: 'video_1', object: 'video', status: 'queued', progress: 0 })
  return Response.json({ text: 'hello', language_code: 'eng', segments: [], duration: 1 })
}

/** All that was sent in words: the query, and the fields of a form or of JSON; files by their names. */
function received({ search, fields, headers, bytes, file }: HeardRequest): Fields {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  const json = isJson ? fieldsOf(JSON.parse(bytes.toString(), withoutFiles)) : {}
  const query = Object.fromEntries(new URLSearchParams(search))
  return { ...query, ...fields, ...json, ...(file === null ? {} : { file: file.name }) }
}

const withoutFiles = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > 1000 ? 'a file' : value

function formOf({ file: _, ...fields }: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) {
      const text = typeof each === 'string' ? each : JSON.stringify(each)
      form.append(Array.isArray(value) ? `${name}[]` : name, text)
    }
  form.append('file', new Blob([new Uint8Array(secondOfSilence)]), 'a.wav')
  return form
}

/** A gateway with a model of each medium at each vendor that has it: `image-google`. */
export async function openMediaDesk(
  sold: Readonly<Record<Medium, readonly Vendor[]>>,
): Promise<MediaDesk> {
  const listener = openListener(answer)
  const chapar = await openTestGateway({
    async prepare(storage) {
      for (const [type, makers] of Object.entries(sold) as [Medium, readonly Vendor[]][])
        for (const maker of makers)
          await addTypedVendor(storage, {
            name: maker,
            kind: (kinds.has(maker) ? maker : 'openai') as NonNullable<TypedVendor['kind']>,
            dialect: kinds.has(maker) ? 'generic' : maker,
            url: listener.url,
            model: {
              id: `${type}-${maker}`,
              type,
              vendorModel: `${type}-1`,
              lines: lines[type] ?? [],
              capabilities: type === 'video' ? { vision: true } : {},
            },
          })
    },
  })
  return {
    async ask(path, body) {
      const before = listener.heard.length
      const reply = await fetch(`${chapar.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}` },
        body: body['file'] === undefined ? JSON.stringify(body) : formOf(body),
      })
      const text = await reply.text()
      const { param } = reply.ok ? { param: null } : fieldsOf(fieldsOf(JSON.parse(text))['error'])
      const [first, ...more] = listener.heard.slice(before)
      const told = first === undefined ? null : { ...received(first), times: 1 + more.length }
      return { status: reply.status, param, body: told }
    },
    async close() {
      await chapar.close()
      await listener.close()
    },
  }
}
