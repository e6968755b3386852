import { pcmRate } from '../../formats/speech/audio-format'
import { tones, type Note } from './melody'

const hertz = [250, 333, 417, 500]
const loudest = 8000
/** A tone that begins or ends at once clicks. */
const fadeSamples = 120

const samplesOf = ({ ms }: Note): number => Math.round((ms * pcmRate) / 1000)

export const countSamples = (notes: readonly Note[]): number =>
  notes.reduce((sum, note) => sum + samplesOf(note), 0)

/** Sixteen bits, little end first, one channel: a piece a note. */
export function* samplePieces(notes: readonly Note[]): Generator<Buffer, void> {
  for (const note of notes) {
    const count = samplesOf(note)
    const piece = Buffer.alloc(count * 2)
    const turn = (2 * Math.PI * (hertz[note.tone] ?? 0)) / pcmRate
    if (note.tone < tones)
      for (let at = 0; at < count; at++) {
        const fade = Math.min(1, at / fadeSamples, (count - at) / fadeSamples)
        piece.writeInt16LE(Math.round(loudest * fade * Math.sin(turn * at)), at * 2)
      }
    yield piece
  }
}
