import { lastSecond, type Segment, type Transcript, type Word } from './transcript'

/** Maximum characters of one subtitle: two lines of a screen, as long as it takes to read them. */
const maxChars = 84
const maxSeconds = 7
/** A silence that ends what is said. */
const pauseSeconds = 0.8
const sentenceEnd = /[.!?؟。！？…]["'»”)]*$/

/**
 * A transcript in pieces with times: the vendor's own, made of its words where it gives only
 * those, or all as one where it tells no times at all.
 * @param seconds how long the recording is
 */
export function segmentsOf(transcript: Transcript, seconds: number): readonly Segment[] {
  const { segments, words, text } = transcript
  if (segments.length > 0) return segments
  if (words.length > 0) return joined(words)
  if (text.trim() === '') return []
  return [{ start: 0, end: Math.max(seconds, lastSecond(transcript)), text: text.trim() }]
}

interface OpenCue {
  readonly start: number
  end: number
  text: string
  readonly speaker: string | undefined
}

function joined(words: readonly Word[]): readonly Segment[] {
  const cues: OpenCue[] = []
  let open: OpenCue | null = null
  for (const { word, start, end, speaker } of words) {
    const said = word.trim()
    if (said === '') continue
    if (open === null || isOver(open, { start, end, word: said }) || speaker !== open.speaker) {
      open = { start, end, text: said, speaker }
      cues.push(open)
    } else {
      open.end = Math.max(open.end, end)
      open.text += ` ${said}`
    }
    if (sentenceEnd.test(said)) open = null
  }
  return cues.map(({ start, end, text, speaker }) => ({
    start,
    end,
    text,
    ...(speaker === undefined ? {} : { speaker }),
  }))
}

const isOver = (cue: OpenCue, { word, start, end }: Word): boolean =>
  start - cue.end > pauseSeconds ||
  end - cue.start > maxSeconds ||
  cue.text.length + word.length >= maxChars

/** SubRip, which has no standard: numbered, with a comma before the milliseconds, as whisper writes it. */
export const renderSrt = (segments: readonly Segment[]): string =>
  segments.map((segment, at) => `${at + 1}\n${times(segment, ',')}\n${lines(segment)}\n\n`).join('')

/** WebVTT (W3C WebVTT, 4.1): `-->` stands for a time and nothing else. */
export const renderVtt = (segments: readonly Segment[]): string =>
  `WEBVTT\n\n${segments.map((segment) => `${times(segment, '.')}\n${lines(segment)}\n\n`).join('')}`

/** An empty line would end the cue. */
const lines = ({ text, speaker }: Segment): string => {
  const said = text
    .trim()
    .replaceAll(/\s*[\r\n]\s*/g, '\n')
    .replaceAll('-->', '->')
  return speaker === undefined ? said : `${speaker}: ${said}`
}

const times = ({ start, end }: Segment, mark: string): string =>
  `${clock(start, mark)} --> ${clock(Math.max(start, end), mark)}`

function clock(seconds: number, mark: string): string {
  const ms = Math.round(Math.max(0, seconds) * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(ms % 1000).padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${mark}${rest}`
}
