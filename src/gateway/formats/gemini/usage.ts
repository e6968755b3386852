import type { Usage } from '../../../domain/usage'
import { fieldsOf, isCount, listOf } from '../../json/fields'
import { withServed } from '../served'
import { openUnits, tokenCount } from '../token-count'

/**
 * Usage of Google's format in the normal form: cached tokens stand inside the prompt, thoughts beside
 * the answer.
 * @returns null for an event that only tells of something else
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`GenerateContentResponseUsageMetadata`)
 */
export function readGeminiUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  if (!isCount(raw['promptTokenCount'])) return null
  const cached = tokenCount(raw, 'cachedContentTokenCount')
  const prompt = Math.max(
    cached,
    tokenCount(raw, 'promptTokenCount') + tokenCount(raw, 'toolUsePromptTokenCount'),
  )
  const thought = tokenCount(raw, 'thoughtsTokenCount')
  const reported = tokenCount(raw, 'candidatesTokenCount') + thought
  // A total beyond both parts is unreported output.
  const completion = Math.max(reported, tokenCount(raw, 'totalTokenCount') - prompt)

  const cachedAudio = Math.min(cached, ofModality(raw['cacheTokensDetails'], 'AUDIO'))
  const cachedImage = ofModality(raw['cacheTokensDetails'], 'IMAGE')
  const rest = openRest(prompt - cached)
  const { units, put } = openUnits()
  put('input_audio', rest.take(ofModality(raw['promptTokensDetails'], 'AUDIO') - cachedAudio))
  put('input_image', rest.take(ofModality(raw['promptTokensDetails'], 'IMAGE') - cachedImage))
  put('input', rest.left())
  put('cached_input_audio', cachedAudio)
  put('cached_input', cached - cachedAudio)
  const out = openRest(completion)
  put('output_audio', out.take(ofModality(raw['candidatesTokensDetails'], 'AUDIO')))
  put('output_image', out.take(ofModality(raw['candidatesTokensDetails'], 'IMAGE')))
  put('output', out.left())
  const reasoning = Math.min(thought, completion)
  return withServed({ units, reasoning, estimated: false }, raw)
}

/** A total that parts are taken from, and never more than there is. */
function openRest(total: number) {
  let left = total
  return {
    take(count: number): number {
      const taken = Math.max(0, Math.min(left, count))
      left -= taken
      return taken
    },
    left: () => left,
  }
}

const ofModality = (details: unknown, modality: string): number =>
  listOf(details)
    .map(fieldsOf)
    .filter((each) => each['modality'] === modality)
    .reduce((sum, each) => sum + tokenCount(each, 'tokenCount'), 0)
