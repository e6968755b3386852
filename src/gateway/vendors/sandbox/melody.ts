/** How many tones there are besides silence. */
export const tones = 4

/** One tone, or silence, for some time. */
export interface Note {
  /** From 0; the last one, `tones`, is silence. */
  readonly tone: number
  readonly ms: number
}

const letterMs = 70
const pauseMs = 80
const maxWordMs = 900
/** Longest sound: the longest text said slowly would fill a hundred megabytes. */
export const maxSpeechMs = 600_000

/**
 * A text as tones: a word is one, always the same for the same voice, as long as its letters. Where
 * all of it would take too long each is shorter.
 */
export function spokenMelody(text: string, voice: string, speed: number): readonly Note[] {
  const words = text.match(/\S+/g) ?? []
  const msOf = (word: string) => Math.min(maxWordMs, (1 + word.length) * letterMs)
  const usualMs = words.reduce((sum, word) => sum + msOf(word) + pauseMs, 0)
  const pace = Math.max(speed, usualMs / maxSpeechMs)
  return words.flatMap((word) => [
    { tone: Number(Bun.hash(`${voice} ${word}`) % BigInt(tones)), ms: msOf(word) / pace },
    { tone: tones, ms: pauseMs / pace },
  ])
}

const beats = 24
const beatMs = 360

/** A piece of music: the same for the same prompt and seed. */
export const musicMelody = (prompt: string, seed: number): readonly Note[] =>
  Array.from({ length: beats }, (_, beat) => ({
    tone: Number(Bun.hash(`${prompt} ${seed} ${beat}`) % BigInt(tones + (beat % 4 === 3 ? 1 : 0))),
    ms: beatMs,
  }))
