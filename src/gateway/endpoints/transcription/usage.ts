import type { Offer } from '../../catalogue/catalogue'
import { speakerSeconds, type Units, type Usage } from '../../../domain/usage'
import type { AudioUsage } from '../../formats/transcripts/transcript'
import { estimateTokens } from '../../metering/estimate-text'
import { exactCeiling } from '../../metering/usage-ceiling'
import type { Estimate } from '../../call/endpoint'

/** Facts of a recording before it is transcribed. */
export interface Heard {
  readonly bytes: number
  /** By its own bytes; null when they do not tell. */
  readonly seconds: number | null
  /** Upper bound of them, for the hold; null where nothing tells. */
  readonly maxSeconds: number | null
  /** They were counted in its sound; otherwise anybody may write them. */
  readonly isCounted: boolean
  readonly prompt: string | null
  /** Wanted speaker by speaker. */
  readonly tellsSpeakers: boolean
}

/** Bits of a second of the quietest recording anybody sends: no hold is too low by it. */
const minBits = 32_000
/** Bits of a second of the thinnest speech there is, as narrow-band Opus. */
const thinnestBits = 6000
/** Bits of a second of an ordinary one, for a bill that nobody can tell the length for. */
const ordinaryBits = 64_000
/** Tokens per second of the reference, unless the catalogue knows better. */
const tokensPerSecond = 10
/** Maximum tokens per second of any vendor. */
const maxTokensPerSecond = 32
/** Words of fast speech in a language of long words, and times around them. */
const maxWrittenPerSecond = 12
/** Ordinary speech. */
const writtenPerSecond = 5
/** Tokens of instructions beside the recording. */
const instructionTokens = 250

const isSoldBySeconds = ({ rates }: Offer): boolean => rates.base['audio_second'] !== undefined

/** Meter of its seconds: those with speakers may have a price of their own. */
const secondsMeter = (
  { tellsSpeakers: reportsSpeakers }: Pick<Heard, 'tellsSpeakers'>,
  { rates }: Offer,
) => (reportsSpeakers && rates.base[speakerSeconds] !== undefined ? speakerSeconds : 'audio_second')

/** Whether the price of a transcription covers what a vendor adds for telling speakers apart. */
export const sellsSpeakers = ({ tellsSpeakers: reportsSpeakers }: Heard, offer: Offer): boolean =>
  !reportsSpeakers || offer.model.isFree || offer.rates.base[speakerSeconds] !== undefined

/** Expected cost of a recording, by the length that its own bytes tell. */
export function estimateAudio(heard: Heard, offer: Offer): Estimate {
  const { bytes, seconds, maxSeconds, isCounted } = heard
  const meter = secondsMeter(heard, offer)
  const most = Math.ceil(maxSeconds ?? (bytes * 8) / minBits)
  // Vendors count begun seconds, and some see a little more than the head tells.
  const high = Math.ceil(most * 1.01) + 1
  const possibleSeconds = isCounted ? high : Math.max(high, Math.ceil((bytes * 8) / thinnestBits))
  if (isSoldBySeconds(offer))
    return {
      low: { [meter]: seconds ?? 0 },
      usual: { [meter]: high },
      possible: exactCeiling({ [meter]: possibleSeconds }),
    }
  const written = Math.ceil(possibleSeconds * maxWrittenPerSecond) + instructionTokens
  return {
    low: tokensFor({ ...heard, seconds: seconds ?? 0 }, offer, 0),
    usual: {
      input: promptTokens(heard) + instructionTokens,
      input_audio: Math.ceil(high * rateOf(offer)),
      output: Math.ceil(high * maxWrittenPerSecond) + instructionTokens,
    },
    possible: {
      inputTokens:
        Math.ceil(possibleSeconds * Math.max(rateOf(offer), maxTokensPerSecond)) +
        Buffer.byteLength(heard.prompt ?? '') +
        instructionTokens,
      outputTokens: Math.max(offer.model.maxOutputTokens ?? 0, written),
      others: {},
    },
  }
}

/**
 * Charged usage: as the vendor counted, in the unit that is sold. Where it counts otherwise or
 * not at all, by the length that the vendor tells, the recording's head, how far the times in the
 * transcript reach, or an ordinary recording of as many bytes: in this order.
 * @param reached the last time in the transcript; 0 without any
 */
export function audioUsage(
  reported: AudioUsage | null,
  heard: Heard,
  offer: Offer,
  { text, reached, seconds }: { text: string; reached: number; seconds: number | null },
): Usage {
  const guess = seconds ?? likelySeconds(heard, text, reached) ?? (reached > 0 ? reached : null)
  const length = guess ?? (heard.bytes * 8) / ordinaryBits
  if (isSoldBySeconds(offer)) {
    const counted = reported?.kind === 'seconds' ? reported.seconds : length
    const estimated = reported?.kind !== 'seconds' && guess === null
    return { units: { [secondsMeter(heard, offer)]: counted }, reasoning: 0, estimated }
  }
  if (reported?.kind === 'tokens') return { units: reported.units, reasoning: 0, estimated: false }
  const counted = reported?.seconds ?? length
  const written = estimateTokens(text)
  return {
    units: tokensFor({ ...heard, seconds: counted }, offer, written),
    reasoning: 0,
    estimated: true,
  }
}

/**
 * The length by its own head; where that only says so, at least what was written of it takes to be
 * said, or reaches to, as far as so many bytes can hold it.
 */
function likelySeconds(heard: Heard, text: string, reached: number): number | null {
  const { bytes, seconds, isCounted } = heard
  if (seconds === null || isCounted) return seconds
  const spoken = Math.max(reached, estimateTokens(text) / maxWrittenPerSecond)
  return Math.max(seconds, Math.min(spoken, (bytes * 8) / ordinaryBits))
}

const tokensFor = (
  heard: Heard & { readonly seconds: number },
  offer: Offer,
  written: number,
): Units => ({
  input: promptTokens(heard),
  input_audio: Math.ceil(heard.seconds * rateOf(offer)),
  output: written === 0 ? Math.ceil(heard.seconds * writtenPerSecond) : written,
})

const promptTokens = ({ prompt }: Heard): number => (prompt === null ? 0 : estimateTokens(prompt))

const rateOf = ({ model }: Offer): number => model.traits.audioTokensPerSecond ?? tokensPerSecond
