import type { Usage } from '../../../domain/usage'
import { audioTypes } from '../../media/audio-format'
import type { AudioReader } from '../../formats/speech/audio-reader'
import { openPlayingTime } from '../../media/playing-time'
import type { Speech } from '../../formats/speech/schema'
import type { ByteSource } from '../../outbound/http1/reply'
import { watchedSource } from '../../outbound/http1/watched-source'
import type { BytesAnswer, WholeAnswer } from '../../call/endpoint'

/** Less than this holds no word yet: a voice that breaks off here costs nothing. */
const minChargedBytes = 1024
/** Bits of a second of the thinnest voice there is: a head that tells of a longer one is wrong. */
const minBits = 4000

interface SpeechAnswerParts {
  readonly reader: AudioReader
  readonly speech: Speech
  /** Usage fixed by the request; null where it depends on the vendor's audio. */
  readonly knownUsage: Usage | null
  /**
   * Estimated usage, where the vendor reports none.
   * @param seconds that were made, null where the audio does not tell
   */
  estimate(seconds: number | null): Usage
}

/**
 * Spoken audio as an answer: the vendor's bytes as they come. Waits for the first of them: a failure
 * before is an ordinary error, and the next route's turn. What came in one piece has a length.
 *
 * How much of a text a voice has said can't be told from its bytes. So a text that breaks off after
 * the first 1024 bytes is charged in full, by whichever side it was broken, and before them nothing
 * is; where audio tokens are sold, those of the seconds that were sent are charged.
 * @throws GatewayError the vendor's failure inside a success | Error when it is no audio
 */
export async function readSpeech(
  source: ByteSource,
  parts: SpeechAnswerParts,
): Promise<WholeAnswer | BytesAnswer> {
  const { reader, speech, knownUsage, estimate } = parts
  const contentType = audioTypes[speech.format]
  const playing = knownUsage === null ? openPlayingTime(speech.format) : null
  let sentBytes = 0
  const playedSeconds = () => {
    const told = playing?.seconds() ?? null
    return told === null ? null : Math.min(told, (sentBytes * 8) / minBits)
  }
  const usage = () => knownUsage ?? reader.usage() ?? estimate(playedSeconds())
  let broken: Error | null = null

  const counted = (audio: Uint8Array<ArrayBuffer> | null) => {
    if (audio === null || audio.byteLength === 0) return null
    sentBytes += audio.byteLength
    playing?.take(audio)
    return audio
  }
  const taken = (read: () => Uint8Array<ArrayBuffer> | null) => {
    try {
      return counted(read())
    } catch (thrown) {
      broken = thrown instanceof Error ? thrown : new Error('malformed audio')
      return null
    }
  }

  let head: Uint8Array<ArrayBuffer> | null = null
  try {
    while (head === null) {
      const piece = await source.read()
      head = counted(piece === null ? reader.end() : reader.push(piece))
      if (piece !== null) continue
      if (head === null || !reader.complete()) throw new Error('reply without audio')
      return { kind: 'whole', contentType, body: head, usage }
    }
  } catch (thrown) {
    reader.release()
    throw thrown
  }
  return {
    kind: 'bytes',
    contentType,
    knownUsage,
    head,
    source: watchedSource(source, reader),
    pass: (chunk) => taken(() => reader.push(chunk)),
    broken: () => broken,
    sent: () => sentBytes >= minChargedBytes,
    sentBytes: () => sentBytes,
    ended: () => taken(() => reader.end()),
    complete: () => broken === null && reader.complete(),
    usage,
  }
}
