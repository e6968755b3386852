import { inputTokens, outputTokens, type Usage } from '../domain/usage'

/** Our own count of an answer, and whether it is over. */
interface Given {
  /** Output tokens given out, counted by us. */
  readonly counted: number
  /** The answer is over: a small number is now the vendor's last word. */
  readonly over: boolean
}

/**
 * A vendor's usage, as far as it can be true: some send zeros, or what went in alone, until the end
 * or for ever. Output that it has not counted is counted by us.
 * @returns null when it tells nothing that can be believed
 */
export function plausibleUsage(reported: Usage | null, { counted, over }: Given): Usage | null {
  if (reported === null || counted === 0) return reported
  const output = outputTokens(reported)
  // Counts of ours are never that far off: before the end a smaller one is an older one.
  if (over ? output > 0 : output > 0 && output * 2 >= counted) return reported
  if (inputTokens(reported) === 0) return null
  const units = { ...reported.units, output: (reported.units.output ?? 0) + counted - output }
  return { ...reported, units, estimated: true }
}

/** Whether a vendor counted what it said. */
export const tellsOutput = (reported: Usage | null): reported is Usage =>
  reported !== null && outputTokens(reported) > 0

/** Fault of an answer that ended in order and is none: it says nothing, and its vendor counted no output. */
export const emptyAnswer = (): Error => new Error('an answer without output')

/**
 * Plausible usage of a whole answer.
 * @param count counts both sides; asked where the vendor told of no output
 */
export function wholeUsage(reported: Usage | null, count: () => Usage): Usage {
  if (tellsOutput(reported)) return reported
  const ours = count()
  return plausibleUsage(reported, { counted: outputTokens(ours), over: true }) ?? ours
}
