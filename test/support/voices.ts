import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Capabilities, ModelType, PriceLine, Traits } from '../../src/domain/model'
import type { AudioFormat } from '../../src/gateway/media/audio-format'
import type { Storage } from '../../src/business/data/storage'

/** Vendors of audio on loopback: what they are called, and what they send. */

/** Half a second of a tone in each format, as a real encoder (ffmpeg) made it. */
const file = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dir, 'audio', name)))

const wav = file('tone.wav')
/** Behind the header of this file, which is longer than most. */
const samples = wav.slice(78)

export const recorded: Readonly<Record<AudioFormat, Uint8Array<ArrayBuffer>>> = {
  mp3: file('tone.mp3'),
  opus: file('tone.opus'),
  aac: file('tone.aac'),
  flac: file('tone.flac'),
  wav,
  pcm: samples,
}
export const recordedMp3At44100 = file('tone-44100.mp3')

interface AudioModel {
  readonly id: string
  readonly kind: 'openai' | 'google' | 'elevenlabs' | 'deepgram'
  readonly dialect?: string
  readonly url: string
  readonly vendorModel: string
  readonly type?: ModelType
  readonly lines: readonly PriceLine[]
  readonly capabilities?: Capabilities
  readonly traits?: Traits
  readonly timeoutMs?: number
  /** Further vendors, tried after the first. */
  readonly also?: readonly string[]
}

export const perCharacter: readonly PriceLine[] = [
  { meter: 'character', unit: 'million', price: '15' },
]
export const perToken: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '2.5' },
  { meter: 'output_audio', unit: 'million', price: '12' },
]
export const perPiece: readonly PriceLine[] = [{ meter: 'request', unit: 'each', price: '0.08' }]

/** A vendor named after its model, and the model. */
export async function saveAudioModel(storage: Storage, model: AudioModel): Promise<void> {
  const { id, kind, dialect = kind, url, vendorModel, also = [] } = model
  await storage.catalogue.saveVendor({
    name: id,
    kind,
    dialect: dialect === 'openai' ? 'openai' : 'generic',
    baseUrl: url,
    credential: 'sk-vendor-secret',
    timeoutMs: model.timeoutMs ?? 10_000,
    transport: 'own',
    active: true,
    source: 'command',
  })
  await storage.catalogue.saveModel(
    {
      id,
      type: model.type ?? 'audio_tts',
      name: id,
      ownedBy: kind,
      description: null,
      contextLength: null,
      maxOutputTokens: null,
      capabilities: model.capabilities ?? {},
      traits: model.traits ?? {},
      isFree: false,
      status: 'active',
      routes: [id, ...also].map((vendor, priority) => ({
        vendor,
        vendorModel,
        priority,
        weight: 1,
      })),
    },
    model.lines,
  )
}

const types: Readonly<Record<AudioFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

export interface PouringOptions {
  readonly bytesAtATime?: number
  readonly delayMs?: number
  /** Breaks the connection after this many pieces. */
  readonly cutAfter?: number
  /** Before that, so that what was sent arrives. */
  readonly cutDelayMs?: number
}

/** Bytes as a vendor sends them: in pieces, without a length. */
export function poured(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  { bytesAtATime = 1000, delayMs = 0, cutAfter, cutDelayMs = 0 }: PouringOptions = {},
): Response {
  let at = 0
  let pieces = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (delayMs > 0 && at > 0) await Bun.sleep(delayMs)
      if (pieces++ === cutAfter) {
        if (cutDelayMs > 0) await Bun.sleep(cutDelayMs)
        return controller.error('cut')
      }
      if (at >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(at, at + bytesAtATime))
      at += bytesAtATime
    },
  })
  return new Response(body, { headers: { 'content-type': contentType } })
}

/** A voice of the reference. */
export const spoken = (format: AudioFormat, options: PouringOptions = {}): Response =>
  poured(recorded[format], types[format], options)

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The same in its events, with what was counted. */
export function spokenEvents(
  bytes: Uint8Array,
  usage: object | null,
  bytesAtATime = 900,
): Uint8Array<ArrayBuffer> {
  const events: object[] = []
  for (let at = 0; at < bytes.byteLength; at += bytesAtATime)
    events.push({ type: 'speech.audio.delta', audio: base64(bytes.slice(at, at + bytesAtATime)) })
  events.push({ type: 'speech.audio.done', ...(usage === null ? {} : { usage }) })
  return new TextEncoder().encode(
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
  )
}

const geminiUsage = {
  promptTokenCount: 7,
  candidatesTokenCount: 13,
  totalTokenCount: 20,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }],
  candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 13 }],
}

/** An answer of Google's with audio in it. */
export const geminiAudio = (
  bytes: Uint8Array,
  mimeType: string,
  finishReason: string | null = 'STOP',
): object => ({
  candidates: [
    {
      content: { role: 'model', parts: [{ inlineData: { mimeType, data: base64(bytes) } }] },
      ...(finishReason === null ? {} : { finishReason }),
      index: 0,
    },
  ],
  usageMetadata: geminiUsage,
  modelVersion: 'gemini-voice',
})

/** The body of an answer, piece by piece as it comes. @throws Error where it breaks off */
export async function* piecesOf({
  body,
}: Pick<Response, 'body'>): AsyncGenerator<Uint8Array, void> {
  if (body === null) return
  for await (const piece of body) yield piece
}
