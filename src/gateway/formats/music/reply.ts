import { yieldToLoop } from '../../../domain/yield-to-loop'
import type { ReplyIdentity } from '../chat/wire'

/** One piece of music, with the vendor's text. */
export interface MusicPiece {
  /** Words that are sung, or a description; '' for none. */
  readonly text: string
  readonly format: 'mp3' | 'wav'
  readonly audio: Uint8Array
}

/** Of the audio, written as base64 in one turn of the event loop; a multiple of three, as its letters stand for. */
const sliceBytes = 1_572_864
const encoder = new TextEncoder()

/** The answer in pieces, with the whole audio in base64. */
export async function renderMusic(
  { text, format, audio }: MusicPiece,
  { id, model }: Pick<ReplyIdentity, 'id' | 'model'>,
): Promise<readonly Uint8Array[]> {
  const about = JSON.stringify({ id, object: 'music.generation', model, text })
  const pieces = [encoder.encode(`${about.slice(0, -1)},"data":[{"b64_json":"`)]
  for (let from = 0; from < audio.byteLength; from += sliceBytes) {
    if (from > 0) await yieldToLoop()
    const slice = audio.subarray(from, from + sliceBytes)
    const bytes = Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength)
    pieces.push(Buffer.from(bytes.toString('base64'), 'latin1'))
  }
  const rest = JSON.stringify({ format, bytes: audio.byteLength })
  pieces.push(encoder.encode(`",${rest.slice(1)}]}`))
  return pieces
}
