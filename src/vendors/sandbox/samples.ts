import { pcmRate } from '../../media/audio-format'
import { tones, type Note } from './melody'

const hertz = [250, 333, 417, 500]
const loudest = 8000
/** A tone that begins or ends at once clicks. */
const fadeSamples = 120

const samplesOf = ({ ms }: Note): number => Math.round((ms * pcmRate) / 1000)

export const countSamples = (notes: readonly Note[]): number =>
  notes.reduce((sum, note) => sum + samplesOf(note), 0)

/** A second of each tone, after which it begins again: hertz are whole. Made when it is first heard. */
const seconds: Buffer[] = []

function secondOf(tone: number): Buffer {
  let second = seconds[tone]
  if (second === undefined) {
    second = Buffer.alloc(pcmRate * 2)
    for (let at = 0; at < pcmRate; at++) second.writeInt16LE(levelOf(tone, at), at * 2)
    seconds[tone] = second
  }
  return second
}

/** @param fade from 0 for silence to 1 */
const levelOf = (tone: number, at: number, fade = 1): number =>
  Math.round(loudest * fade * Math.sin(((2 * Math.PI * (hertz[tone] ?? 0)) / pcmRate) * at))

/** Sixteen bits, little end first, one channel: a piece a note. */
export function* samplePieces(notes: readonly Note[]): Generator<Buffer, void> {
  for (const note of notes) {
    const count = samplesOf(note)
    const piece = Buffer.alloc(count * 2)
    if (note.tone < tones) play(note.tone, piece, count)
    yield piece
  }
}

function play(tone: number, piece: Buffer, count: number): void {
  const second = secondOf(tone)
  for (let at = 0; at < piece.length; at += second.length) second.copy(piece, at)
  const fade = (at: number) =>
    piece.writeInt16LE(
      levelOf(tone, at, Math.min(1, at / fadeSamples, (count - at) / fadeSamples)),
      at * 2,
    )
  const edge = Math.min(fadeSamples, count)
  for (let at = 0; at < edge; at++) fade(at)
  for (let at = Math.max(edge, count - fadeSamples); at < count; at++) fade(at)
}
