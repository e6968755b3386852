import type { ReplyIdentity } from '../chat/wire'

/** One piece of music, with the vendor's text. */
export interface MusicPiece {
  /** Words that are sung, or a description; '' for none. */
  readonly text: string
  readonly format: 'mp3' | 'wav'
  readonly audio: Uint8Array
}

/** The answer, with the whole piece in base64. */
export const renderMusic = (
  { text, format, audio }: MusicPiece,
  { id, model }: Pick<ReplyIdentity, 'id' | 'model'>,
): string =>
  JSON.stringify({
    id,
    object: 'music.generation',
    model,
    text,
    data: [{ b64_json: Buffer.from(audio).toString('base64'), format, bytes: audio.byteLength }],
  })
