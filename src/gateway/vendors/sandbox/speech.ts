import type { Fields } from '../../json/fields'
import { audioTypes, isAudioFormat } from '../../media/audio-format'
import { connectionReset, pause } from './faults'
import { audioPieces } from './audio'
import { streamInSlices } from './slices'
import { musicMelody, spokenMelody } from './melody'

/** How the slow voice takes its time. */
const pieceMs = 50

/** Text of the voice that breaks off, whatever it is given. */
const broken = 'This voice breaks off in the middle of a sentence that would go on for long.'
const piecesBeforeCut = 9

/** A text as tones, in any format. */
export function speechReply(body: Fields, how: 'at once' | 'slowly' | 'cut', signal: AbortSignal) {
  const { input, voice, speed, response_format: asked } = body
  const format = typeof asked === 'string' && isAudioFormat(asked) ? asked : 'mp3'
  const text = how === 'cut' ? broken : String(input)
  const melody = spokenMelody(text, String(voice), typeof speed === 'number' ? speed : 1)
  const pieces = audioPieces(melody, format)
  const headers = { 'content-type': audioTypes[format] }
  if (how === 'at once') return new Response(streamInSlices(pieces, signal), { headers })
  let sent = 0
  const left = new AbortController()
  const gone = AbortSignal.any([signal, left.signal])
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (how === 'slowly' && sent > 0) await pause(pieceMs, gone)
      if (how === 'cut' && sent === piecesBeforeCut) return controller.error(connectionReset())
      const { done, value } = pieces.next()
      if (done === true) return controller.close()
      sent++
      controller.enqueue(value)
    },
    cancel: () => left.abort(),
  })
  return new Response(stream, { headers })
}

/** A short piece as an MP3 file. */
export function musicReply({ prompt, seed }: Fields): Response {
  const notes = musicMelody(String(prompt), typeof seed === 'number' ? seed : 0)
  const file = Buffer.concat([...audioPieces(notes, 'mp3')])
  return new Response(file, { headers: { 'content-type': audioTypes.mp3 } })
}
