import type { Fields } from '../../json/fields'
import { renderSrt, renderVtt, segmentsOf } from './cues'
import type { AudioBody, AudioTask } from './schema'
import type { AudioUsage, Segment, Transcript } from './transcript'

/** Form of a transcript that a client requested. */
export interface TranscriptForm {
  readonly task: AudioTask
  readonly body: AudioBody
  /** How long the recording is, as far as anybody knows. */
  readonly seconds: number
}

interface RenderedTranscript {
  readonly contentType: string
  readonly body: string
}

const plain = 'text/plain; charset=utf-8'

/** A transcript in the form that was asked for. */
export function renderTranscript(
  transcript: Transcript,
  wanted: TranscriptForm,
): RenderedTranscript {
  const { text } = transcript
  const segments = () => segmentsOf(transcript, wanted.seconds)
  switch (wanted.body.format) {
    case 'json':
      return json({ text, ...logprobsOf(transcript), usage: usageFields(transcript, wanted) })
    case 'text':
      return { contentType: plain, body: `${text}\n` }
    case 'srt':
      return { contentType: 'application/x-subrip; charset=utf-8', body: renderSrt(segments()) }
    case 'vtt':
      return { contentType: 'text/vtt; charset=utf-8', body: renderVtt(segments()) }
    case 'verbose_json':
      return json(verbose(transcript, segments(), wanted))
    case 'diarized_json':
      return json(diarized(transcript, segments(), wanted))
  }
}

const json = (fields: Fields): RenderedTranscript => ({
  contentType: 'application/json',
  body: JSON.stringify(fields),
})

const logprobsOf = ({ logprobs }: Transcript): Fields =>
  logprobs === undefined ? {} : { logprobs }

/** Usage as the reference tells it; it rounds a duration up (observed: 8.47 s is 9). */
export function usageFields(
  { usage }: { readonly usage: AudioUsage | null },
  wanted: TranscriptForm,
): Fields {
  if (usage?.kind === 'tokens') return usage.reported
  return { type: 'duration', seconds: Math.ceil(usage?.seconds ?? wanted.seconds) }
}

function verbose(
  transcript: Transcript,
  segments: readonly Segment[],
  wanted: TranscriptForm,
): Fields {
  const { text, language, seconds, words } = transcript
  const { granularities } = wanted.body
  const wantsWords = granularities.includes('word')
  return {
    task: wanted.task,
    language: wanted.task === 'translate' ? 'english' : languageName(language),
    duration: seconds ?? wanted.seconds,
    text,
    ...(wantsWords ? { words: words.map(({ word, start, end }) => ({ word, start, end })) } : {}),
    ...(!wantsWords || granularities.includes('segment')
      ? { segments: segments.map(verboseSegment) }
      : {}),
    usage: usageFields(transcript, wanted),
  }
}

/** Clients of typed languages miss every field; where a vendor has no such number it is none. */
const verboseSegment = ({ start, end, text, reported }: Segment, id: number): Fields =>
  reported ?? {
    id,
    seek: 0,
    start,
    end,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: 0,
    compression_ratio: 0,
    no_speech_prob: 0,
  }

const diarized = (
  transcript: Transcript,
  segments: readonly Segment[],
  wanted: TranscriptForm,
): Fields => ({
  task: wanted.task,
  duration: transcript.seconds ?? wanted.seconds,
  text: transcript.text,
  segments: segments.map(diarizedSegment),
  usage: usageFields(transcript, wanted),
})

/** Segment of `diarized_json` (openai/openai-openapi `TranscriptionDiarizedSegment`), and of its stream. */
export const diarizedSegment = (
  { start, end, text, speaker, reported }: Segment,
  at: number,
): Fields =>
  reported ?? {
    type: 'transcript.text.segment',
    id: `seg_${at}`,
    start,
    end,
    text,
    speaker: speaker ?? 'A',
  }

/** `fa` and `fas` as `persian`, which is how the reference names languages. */
function languageName(language: string | null): string {
  if (language === null || language === '') return 'unknown'
  if (!/^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i.test(language)) return language.toLowerCase()
  try {
    const name = names.of(language.replaceAll('_', '-').split('-')[0] ?? language)
    return name?.toLowerCase() ?? language
  } catch {
    return language
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })
