import type { Usage } from '../../../domain/usage'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { bufferMemory } from '../../../domain/memory-budget'
import { Frames } from '../frames'
import { pcmRate } from '../../media/audio-format'
import type { AudioReader } from '../speech/audio-reader'
import { readWavHead, wavHead } from '../../media/wav'
import { readMediaEvent, spokenUsage, type InlineMedia, type MediaRefusals } from './media'

interface GeminiAudioParts extends MediaRefusals {
  /** Form of the client's audio: bare samples, or a file of them. */
  readonly format: 'wav' | 'pcm'
  /** The body is events; otherwise one JSON. */
  readonly events: boolean
}

/**
 * Speech of Google's format: samples in base64, sometimes a finished file. What it is, is what it
 * says it is. It is whole once it told why it stopped.
 */
export function openGeminiAudio({ format, events, ...refusals }: GeminiAudioParts): AudioReader {
  const frames = new Frames()
  const decoder = new TextDecoder()
  const lease = bufferMemory.lease()
  let json = ''
  let usage: Usage | null = null
  let finished = false
  let over = false
  let begun = false

  const take = (text: string): readonly InlineMedia[] => {
    const event = readMediaEvent(text, refusals)
    if (event.usage !== null) usage = spokenUsage(event.usage) ?? usage
    finished ||= event.finish !== null
    return event.media.filter(({ mediaType }) => mediaType.startsWith('audio/'))
  }

  /** @param last nothing follows, so that the file can say how long it is */
  const render = (found: readonly InlineMedia[], last: boolean) => {
    if (found.length === 0) return null
    const all = Buffer.concat(found.map(samplesOf))
    const head =
      format === 'wav' && !begun ? wavHead(rateOf(found[0]), last ? all.byteLength : null) : null
    begun = true
    return new Uint8Array(head === null ? all : Buffer.concat([head, all]))
  }

  const release = () => {
    json = ''
    lease.release()
    frames.release()
  }

  return {
    push(piece) {
      if (events) return render(frames.push(piece).flatMap(take), false)
      json += decoder.decode(piece, { stream: true })
      if (json.length > maxAnswerBytes('speech')) throw new Error('reply without end')
      lease.grow(json.length)
      return null
    },
    end() {
      over = true
      if (events) return render(frames.end().flatMap(take), !begun)
      const text = json + decoder.decode()
      release()
      return render(take(text), true)
    },
    complete: () => over && finished,
    usage: () => usage,
    passed: () => frames.passed(),
    release,
  }
}

/** Sixteen bits in one channel, without what may stand before them. @throws Error for other audio */
function samplesOf({ mediaType, bytes }: InlineMedia): Uint8Array {
  if (/^audio\/(?:l16|pcm)\b/.test(mediaType)) return bytes
  const head = readWavHead(bytes)
  if (head === null || head.bits !== 16 || head.channels !== 1)
    throw new Error('unknown audio format')
  return bytes.subarray(head.dataAt, Math.min(bytes.byteLength, head.dataAt + head.dataBytes))
}

/**
 * Rate of `audio/L16;codec=pcm;rate=24000` (RFC 2586; as observed of Gemini's speech), or of the header of
 * a file.
 */
function rateOf(media: InlineMedia | undefined): number {
  if (media === undefined) return pcmRate
  const reported = /\brate=(\d{4,6})\b/.exec(media.mediaType)?.[1]
  return reported === undefined ? (readWavHead(media.bytes)?.rate ?? pcmRate) : Number(reported)
}
