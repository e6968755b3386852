import { inputTokens, outputTokens, type Usage } from '../domain/usage'

/** Our own count of an answer, and whether it is over. */
interface Given {
  /** Output tokens of what was given out, counted by us. */
  readonly counted: number
  /** The answer is over: a small number is now the vendor's last word. */
  readonly over: boolean
}

/**
 * A vendor's usage, as far as it can be true: some send zeros, or what went in alone, until the end
 * or for ever. Output that it has not counted is counted by us.
 * @returns null when it tells nothing that can be believed
 */
export function plausibleUsage(told: Usage | null, { counted, over }: Given): Usage | null {
  if (told === null || counted === 0) return told
  const output = outputTokens(told)
  // Counts of ours are never that far off: before the end a smaller one is an older one.
  if (over ? output > 0 : output > 0 && output * 2 >= counted) return told
  if (inputTokens(told) === 0) return null
  const units = { ...told.units, output: (told.units.output ?? 0) + counted - output }
  return { ...told, units, estimated: true }
}

/**
 * Plausible usage of a whole answer.
 * @param count counts both sides; asked where the vendor told of no output
 */
export function wholeUsage(told: Usage | null, count: () => Usage): Usage {
  if (told !== null && outputTokens(told) > 0) return told
  const ours = count()
  return plausibleUsage(told, { counted: outputTokens(ours), over: true }) ?? ours
}
