/** The channel's own format: 16 bits, 24,000 samples a second, one channel. */
const samplesPerSecond = 24_000
const bytesPerSecond = samplesPerSecond * 2

export const secondsOf = (sound: Buffer): number => sound.byteLength / bytesPerSecond

/** One note a word, of a scale, so that an answer can be told by ear. */
const scaleHz = [262, 294, 330, 349, 392, 440, 494, 523]
const wordMs = 200
const loudest = 8000
/** Each note swells and fades, or it would click. */
const fadeSamples = 600

/** The sound of a word. */
interface Tone {
  readonly base64: string
  readonly seconds: number
}

/** Of the scale, made when they are first heard. */
const tones: Tone[] = []

/** @param word its place in the answer */
export function toneFor(word: number): Tone {
  const place = word % scaleHz.length
  return (tones[place] ??= toneOf(scaleHz[place] ?? 0))
}

function toneOf(hz: number): Tone {
  const samples = (samplesPerSecond * wordMs) / 1000
  const sound = Buffer.alloc(samples * 2)
  for (let at = 0; at < samples; at++) {
    const fade = Math.min(1, at / fadeSamples, (samples - at) / fadeSamples)
    const level = Math.sin((2 * Math.PI * hz * at) / samplesPerSecond) * loudest * fade
    sound.writeInt16LE(Math.round(level), at * 2)
  }
  return { base64: sound.toString('base64'), seconds: secondsOf(sound) }
}

/** Quieter than anybody speaks. */
const silentBelow = 500

/** Whether nobody speaks in a piece of sound. */
export function isSilent(sound: Buffer): boolean {
  for (let at = 0; at + 1 < sound.byteLength; at += 2)
    if (Math.abs(sound.readInt16LE(at)) >= silentBelow) return false
  return true
}

/** As vendors count what they hear. */
export const sandboxInputTokens = (seconds: number): number =>
  Math.ceil(milliseconds(seconds) / 100)
/** As vendors count what they say. */
export const sandboxOutputTokens = (seconds: number): number =>
  Math.ceil(milliseconds(seconds) / 50)

/** Sums of seconds are not exact, and nobody is to pay for that. */
const milliseconds = (seconds: number): number => Math.round(seconds * 1000)
