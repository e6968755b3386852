import type { Meter, Units, Usage } from '../../../domain/usage'
import { fieldsOf, isCount, isFields, type Fields } from '../../json/fields'

const count = (fields: Fields, name: string): number => {
  const value = fields[name]
  return isCount(value) ? value : 0
}

/** Members of input tokens by modality, each with its cached part. */
const modalities = [
  ['text', 'input', 'cached_input'],
  ['audio', 'input_audio', 'cached_input_audio'],
  ['image', 'input_image', 'cached_input_image'],
] as const satisfies readonly (readonly [string, Meter, Meter])[]

/**
 * `usage` of a `response.done` in the normal form. Text, sound and pictures have different prices,
 * and what of each was read from a cache another: every token is in one bucket.
 * @returns null when the vendor tells none
 * @see openai/openai-openapi `RealtimeResponse`, 2.3.0 of 2026-08-21
 */
export function readRealtimeUsage(raw: unknown): Usage | null {
  if (!isFields(raw) || !isCount(raw['input_tokens'])) return null
  const input = fieldsOf(raw['input_token_details'])
  const units: Partial<Record<Meter, number>> = {}
  const put = (meter: Meter, tokens: number) => {
    if (tokens > 0) units[meter] = (units[meter] ?? 0) + tokens
  }
  const reported = fieldsOf(input['cached_tokens_details'])
  let cachedLeft = count(input, 'cached_tokens')
  let rest = count(raw, 'input_tokens')
  for (const [name, meter, cachedMeter] of modalities) {
    const all = Math.min(rest, count(input, `${name}_tokens`))
    // Where it is not said what was cached, text comes first, which vendors cache first.
    const said = isCount(reported[`${name}_tokens`]) ? count(reported, `${name}_tokens`) : all
    const cached = Math.min(said, all, cachedLeft)
    cachedLeft -= cached
    rest -= all
    put(cachedMeter, cached)
    put(meter, all - cached)
  }
  const cached = Math.min(rest, cachedLeft)
  put('cached_input', cached)
  put('input', rest - cached)
  const output = fieldsOf(raw['output_token_details'])
  const out = count(raw, 'output_tokens')
  const spoken = Math.min(out, count(output, 'audio_tokens'))
  put('output_audio', spoken)
  put('output', out - spoken)
  return { units, reasoning: count(output, 'reasoning_tokens'), estimated: false }
}

/**
 * `usage` of a finished transcription: by tokens or by the length of the sound.
 * @returns null when the vendor tells none
 */
export function readTranscriptionUsage(raw: unknown): Units | null {
  if (!isFields(raw)) return null
  const { seconds } = raw
  if (raw['type'] === 'duration')
    return typeof seconds === 'number' && seconds >= 0 && seconds < Infinity
      ? { audio_second: seconds }
      : null
  if (!isCount(raw['input_tokens'])) return null
  const input = count(raw, 'input_tokens')
  const audio = Math.min(input, count(fieldsOf(raw['input_token_details']), 'audio_tokens'))
  const units = { input_audio: audio, input: input - audio, output: count(raw, 'output_tokens') }
  return Object.fromEntries(Object.entries(units).filter(([, tokens]) => tokens > 0))
}
