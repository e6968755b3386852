import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import type { Capabilities, PriceLine, Traits } from '../../src/domain/model'
import type { Storage } from '../../src/business/data/storage'
import { openTestGateway, type TestGateway, type TestGatewayOptions } from './gateway'
import { openListener, type HeardRequest, type Listener } from './listener'

/** A file of which `durations.json` tells how long it lasts. */
export const recording = (name: string): Buffer =>
  readFileSync(join(import.meta.dir, '../media/recordings', name))
/** 3.135 seconds. */
export const mp3 = recording('cbr.mp3')
/** A minute of it. */
export const longMp3 = Buffer.concat(Array.from({ length: 20 }, () => mp3))

const bySecond: readonly PriceLine[] = [{ meter: 'audio_second', unit: 'minute', price: '0.006' }]
const byToken: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '2.5' },
  { meter: 'input_audio', unit: 'million', price: '6' },
  { meter: 'output', unit: 'million', price: '10' },
]

interface Sold {
  readonly id: string
  readonly kind?: string
  readonly lines?: readonly PriceLine[]
  readonly capabilities?: Capabilities
  readonly traits?: Traits
  readonly vendors?: readonly string[]
}

const bySpeaker: readonly PriceLine[] = [
  { meter: 'audio_second', unit: 'minute', price: '0.006' },
  { meter: 'audio_second:diarized', unit: 'minute', price: '0.009' },
]
const allForms = ['json', 'text', 'srt', 'vtt', 'verbose_json']
const sold: readonly Sold[] = [
  { id: 'whisper', capabilities: { formats: allForms, translation: true } },
  { id: 'unknown-forms' },
  { id: 'tokens', lines: byToken, capabilities: { formats: ['json'], translation: false } },
  {
    id: 'diarize',
    capabilities: { formats: ['json', 'text', 'diarized_json'] },
  },
  { id: 'gemini', kind: 'google', lines: byToken, traits: { audioTokensPerSecond: 32 } },
  { id: 'claude', kind: 'anthropic' },
  { id: 'scribe', kind: 'elevenlabs' },
  { id: 'nova', kind: 'deepgram' },
  { id: 'nova-speakers', kind: 'deepgram', lines: bySpeaker },
  { id: 'two-ways', vendors: ['dead', 'openai'], capabilities: { formats: allForms } },
]

export type FormFields = Readonly<Record<string, string | readonly string[]>>

export interface SendOptions {
  readonly path?: 'transcriptions' | 'translations'
  /** Null for none. */
  readonly file?: Buffer | null
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A gateway that sells models that hear, all at one vendor on loopback. */
export interface AudioGateway {
  readonly chapar: TestGateway
  readonly vendor: Listener
  readonly client: OpenAI
  send(fields: FormFields, options?: SendOptions): Promise<Response>
  /** From now on every recording is answered with this JSON. */
  answers(reply: unknown): void
  /** From now on every recording is answered with these events. */
  plays(events: readonly unknown[], end?: string): void
  heardLast(): HeardRequest
  close(): Promise<void>
}

export async function openAudioGateway(
  options: Pick<TestGatewayOptions, 'folder' | 'env'> & { readonly vendorUrl?: string } = {},
): Promise<AudioGateway> {
  const { vendorUrl, ...shared } = options
  const vendor = openListener(() => new Response('not told what to say', { status: 500 }))
  const chapar = await openTestGateway({
    ...shared,
    prepare: (storage) => sell(storage, vendorUrl ?? vendor.url),
  })
  return {
    chapar,
    vendor,
    client: new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 }),
    send(fields, { path = 'transcriptions', file = mp3, name = 'a.mp3', headers, signal } = {}) {
      const body = new FormData()
      for (const [key, value] of Object.entries(fields))
        for (const each of [value].flat()) body.append(key, each)
      if (file !== null) body.append('file', new Blob([new Uint8Array(file)]), name)
      return fetch(`${chapar.url}/audio/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}`, 'accept-language': 'en', ...headers },
        body,
        ...(signal === undefined ? {} : { signal }),
      })
    },
    answers: (reply) => vendor.play(() => Response.json(reply)),
    plays: (events, end = '') =>
      vendor.play(() => {
        const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
        return new Response(text + end, { headers: { 'content-type': 'text/event-stream' } })
      }),
    heardLast() {
      const last = vendor.heard.at(-1)
      if (last === undefined) throw new Error('nobody asked')
      return last
    },
    async close() {
      await chapar.close()
      await vendor.close()
    },
  }
}

async function sell({ catalogue }: Storage, baseUrl: string): Promise<void> {
  const base = {
    credential: 'sk-vendor-secret',
    timeoutMs: 30_000,
    transport: 'own',
    active: true,
    source: 'command',
  } as const
  for (const kind of ['openai', 'google', 'anthropic', 'elevenlabs', 'deepgram'])
    await catalogue.saveVendor({ ...base, name: kind, kind, dialect: kind, baseUrl })
  const away = { name: 'dead', kind: 'openai', dialect: 'openai' }
  await catalogue.saveVendor({ ...base, ...away, baseUrl: 'http://127.0.0.1:1/v1' })
  for (const { id, kind = 'openai', lines, capabilities, traits, vendors } of sold)
    await catalogue.saveModel(
      {
        id,
        type: 'audio_stt',
        name: id,
        ownedBy: kind,
        description: null,
        contextLength: null,
        maxOutputTokens: null,
        capabilities: capabilities ?? {},
        traits: traits ?? {},
        isFree: false,
        status: 'active',
        routes: (vendors ?? [kind]).map((each, priority) => ({
          vendor: each,
          vendorModel: `${id}-1`,
          priority,
          weight: 1,
        })),
      },
      lines ?? bySecond,
    )
}

export const costOf = (answer: Response): string | null => answer.headers.get('x-cost-usd')

export async function refusalOf(answer: Response) {
  const { error } = (await answer.json()) as {
    error: { param: unknown; code: unknown; message: string }
  }
  return { status: answer.status, ...error }
}
