import { api, ask } from '../client'
import {
  CallError,
  endedCall,
  readAnswer,
  requestIdOf,
  sendCall,
  type AnswerPiece,
  type EndedCall,
} from '../metered-call'
import type { RequestedChat } from './chat-turns'

/** Call from the playground by one of the person's keys. */
export interface OwnCall {
  /** Number of a key of one's own: the session stands in for its secret. */
  readonly key: number
  readonly locale: string
  readonly signal: AbortSignal
  /** Told of the id as soon as there is an answer. */
  onBegun(requestId: string): void
}

const addressOf = (name: string, key: number): string => `/app/api/playground/${name}?key=${key}`

const json = { 'content-type': 'application/json' }

async function send(
  name: string,
  body: object | FormData,
  { key, locale, signal, onBegun }: OwnCall,
): Promise<Response> {
  const isForm = body instanceof FormData
  const response = await sendCall(addressOf(name, key), {
    headers: { ...(isForm ? {} : json), 'accept-language': locale },
    body: isForm ? body : JSON.stringify(body),
    signal,
  })
  onBegun(requestIdOf(response))
  return response
}

const tries = 8
const firstWaitMs = 150

/**
 * Cost of a call that did not tell it: of one that was stopped, or that is counted at its end.
 * @returns null where nobody knows it yet
 */
export async function costOf(requestId: string): Promise<string | null> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    try {
      const { status, usd } = await ask(api.requests({ id: requestId }).get())
      if (status !== 'pending') return usd
    } catch {
      // It is not written yet, or out of reach for a moment.
    }
    await new Promise((resolve) => setTimeout(resolve, attempt * firstWaitMs))
  }
  return null
}

const withCost = async (ended: EndedCall): Promise<EndedCall> =>
  ended.costUsd !== null || ended.requestId === ''
    ? ended
    : { ...ended, costUsd: await costOf(ended.requestId) }

/**
 * Sends a chat request, and reads the answer as it comes.
 * @throws CallError | ApiError
 */
export async function requestChat(
  { model, messages, temperature, maxTokens, effort }: RequestedChat,
  call: OwnCall,
  onPiece: (piece: AnswerPiece) => void,
): Promise<EndedCall> {
  const body = {
    model,
    messages,
    ...(temperature === null ? {} : { temperature }),
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
  }
  return await withCost(await readAnswer(await sendStreamed(body, call), onPiece))
}

/** Whole where the operator has switched streams off. */
async function sendStreamed(body: object, call: OwnCall): Promise<Response> {
  try {
    const streamed = { stream: true, stream_options: { include_usage: true } }
    return await send('chat', { ...body, ...streamed }, call)
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.code !== 'streaming_disabled') throw thrown
    return await send('chat', body, call)
  }
}

/** Pictures as addresses that hold them whole. */
interface MadePictures extends EndedCall {
  readonly urls: readonly string[]
}

const pictureTypes = { iVBOR: 'image/png', '/9j/4': 'image/jpeg', UklGR: 'image/webp' } as const

/** Makes pictures. @throws CallError */
export async function makePictures(
  body: { model: string; prompt: string; size?: string; n: number },
  call: OwnCall,
): Promise<MadePictures> {
  const response = await send('images', body, call)
  const { data } = (await response.json()) as { data: { b64_json: string }[] }
  const urls = data.map(({ b64_json: content }) => {
    const type = pictureTypes[content.slice(0, 5) as keyof typeof pictureTypes] ?? 'image/png'
    return `data:${type};base64,${content}`
  })
  return { ...(await withCost(endedCall(response))), urls }
}

interface MadeSpeech extends EndedCall {
  readonly file: Blob
  /** Ending of its name. */
  readonly format: string
}

/** Makes speech. @throws CallError */
export async function makeSpeech(
  body: { model: string; input: string; voice: string; response_format: string },
  call: OwnCall,
): Promise<MadeSpeech> {
  const response = await send('speech', body, call)
  const file = await response.blob()
  return { ...(await withCost(endedCall(response))), file, format: body.response_format }
}

interface Transcript extends EndedCall {
  readonly text: string
}

/** Transcribes a recording. @throws CallError */
export async function transcribe(
  { model, file, language }: { model: string; file: File; language: string },
  call: OwnCall,
): Promise<Transcript> {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'json')
  if (language !== '') form.set('language', language)
  form.set('file', file)
  const response = await send('transcriptions', form, call)
  const { text } = (await response.json()) as { text: string }
  return { ...(await withCost(endedCall(response))), text }
}
