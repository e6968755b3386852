const id = String.raw`"event_id"\s*:\s*"[\w.:-]*"`
const before = new RegExp(
  String.raw`^\s*\{\s*(?:${id}\s*,\s*)?"type"\s*:\s*"input_audio_buffer\.append"\s*,\s*(?:${id}\s*,\s*)?"audio"\s*:\s*"`,
)
const after = new RegExp(String.raw`^"\s*(?:,\s*${id}\s*)?\}\s*$`)
/** No head or tail of the usual form is longer. */
const maxHead = 400
const maxTail = 200

/**
 * Whether a client's event is a piece of sound (`input_audio_buffer.append`) and nothing else, found out
 * without parsing the sound:
 * such events pass as they are. Anything in an unusual form is parsed like all others.
 * @returns characters of base64; null when it must be looked at
 * @see openai/openai-openapi `RealtimeClientEventInputAudioBufferAppend`, 2.3.0 of 2026-08-21
 */
export function appendedAudio(frame: string): number | null {
  const start = before.exec(frame.slice(0, maxHead))?.[0].length
  if (start === undefined) return null
  const end = frame.indexOf('"', start)
  // An escape is a letter of base64 written as many.
  if (
    end < 0 ||
    frame.includes('\\', start) ||
    frame.length - end > maxTail ||
    !after.test(frame.slice(end))
  )
    return null
  return end - start
}
