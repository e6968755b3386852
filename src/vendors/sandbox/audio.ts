import type { AudioFormat } from '../../media/audio-format'
import { pcmRate } from '../../media/audio-format'
import { wavHead } from '../../media/wav'
import { audioFrames } from './audio-frames'
import { flacPieces } from './flac'
import type { Note } from './melody'
import { oggPieces } from './ogg'
import { countSamples, samplePieces } from './samples'

/** A playable file of these notes, about a piece a note. */
export function audioPieces(
  notes: readonly Note[],
  format: AudioFormat,
): Generator<Uint8Array, void> {
  switch (format) {
    case 'pcm':
      return samplePieces(notes)
    case 'wav':
      return wavPieces(notes)
    case 'flac':
      return flacPieces(samplePieces(notes), countSamples(notes))
    case 'opus':
      return oggPieces(frameGroups(notes, 'opus'))
    case 'mp3':
    case 'aac':
      return framePieces(notes, format)
  }
}

function* wavPieces(notes: readonly Note[]): Generator<Uint8Array, void> {
  yield wavHead(pcmRate, countSamples(notes) * 2)
  yield* samplePieces(notes)
}

function* framePieces(notes: readonly Note[], format: 'mp3' | 'aac'): Generator<Uint8Array, void> {
  for (const frames of frameGroups(notes, format)) yield Buffer.concat(frames)
}

/** The frames of each note, at least one. */
function* frameGroups(
  notes: readonly Note[],
  format: keyof typeof audioFrames,
): Generator<readonly Buffer[], void> {
  const { ms: frameMs, frames } = audioFrames[format]
  for (const { tone, ms } of notes) {
    const frame = frames[tone]
    if (frame === undefined) throw new Error(`no tone ${tone}`)
    yield Array.from({ length: Math.max(1, Math.round(ms / frameMs)) }, () => frame)
  }
}
