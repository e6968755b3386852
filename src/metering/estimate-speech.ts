import { estimateTokens } from './estimate-text'

/** Text tokens that a voice says in a second: in any script they take about as long. */
const tokensPerSecond = 3.3
/** Voices differ, and stop to breathe. */
const slowestFactor = 1.6
const maxPauseSeconds = 3

interface SpeechEstimate {
  /** Text tokens of the input. */
  readonly input: number
  readonly likelySeconds: number
  readonly maxSeconds: number
}

/** Tokens and seconds that speaking a text takes. @param speed of the voice; one is its own */
export function estimateSpeech({
  input,
  instructions,
  speed,
}: {
  readonly input: string
  readonly instructions: string | null
  readonly speed: number
}): SpeechEstimate {
  const tokens = estimateTokens(input)
  const likelySeconds = tokens / tokensPerSecond / speed
  return {
    input: Math.ceil(tokens + estimateTokens(instructions ?? '')),
    likelySeconds,
    maxSeconds: likelySeconds * slowestFactor + maxPauseSeconds,
  }
}
