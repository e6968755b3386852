import {
  inputTokens,
  isInputMeter,
  isTokenMeter,
  outputTokens,
  type Meter,
  type Units,
  type Usage,
} from '../../domain/usage'

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
export const reportsOutput = (reported: Usage | null): reported is Usage =>
  reported !== null && outputTokens(reported) > 0

/** Whether a vendor counted both sides: no prompt has no tokens, and no answer that says something. */
export function reportsBoth(reported: Usage | null): reported is Usage {
  if (reported === null) return false
  // Plain text on both sides is the rule.
  const { input = 0, output = 0 } = reported.units
  return (input > 0 && output > 0) || (outputTokens(reported) > 0 && inputTokens(reported) > 0)
}

/** Usage with the pictures and sound of an answer, where its vendor counted no output. */
export const withMedia = (usage: Usage, reported: Usage | null, media: Units): Usage =>
  reportsOutput(reported)
    ? usage
    : { ...usage, units: { ...usage.units, ...media }, estimated: true }

/** Usage whose input is our count, where the vendor counted the answer alone. */
export const withInput = (usage: Usage, counted: number): Usage =>
  inputTokens(usage) > 0 || outputTokens(usage) === 0
    ? usage
    : { ...usage, units: { ...usage.units, input: counted }, estimated: true }

/** Fault of an answer that ended in order and is none: it says nothing, and its vendor counted no output. */
export const emptyAnswer = (): Error => new Error('an answer without output')

/**
 * Plausible usage of a whole answer.
 * @param count counts both sides; asked where the vendor told of one side or none
 */
export function wholeUsage(reported: Usage | null, count: () => Usage): Usage {
  if (reportsBoth(reported)) return reported
  const ours = count()
  const given = { counted: outputTokens(ours), over: true }
  return withInput(plausibleUsage(reported, given) ?? ours, inputTokens(ours))
}

/** Whether a later usage takes all output back: the count before it was then no last word. */
export const takesBack = (before: Usage | null, later: Usage): boolean =>
  before !== null && outputTokens(before) > 0 && outputTokens(later) === 0

/**
 * The later of two usages of one stream. They are cumulative: a side that shrinks contradicts what was counted
 * before, and the larger count holds; what was only estimated is replaced.
 */
export function grownUsage(before: Usage | null, later: Usage): Usage {
  if (before === null || before.estimated) return later
  const inputShrinks = inputTokens(later) < inputTokens(before)
  const outputShrinks = outputTokens(later) < outputTokens(before)
  const served = later.served ?? before.served
  if (!inputShrinks && !outputShrinks)
    return served === later.served || served === undefined ? later : { ...later, served }
  const units: Partial<Record<Meter, number>> = {}
  const take = ({ units: from }: Usage, isTaken: (meter: Meter) => boolean) => {
    for (const [meter, count] of Object.entries(from) as [Meter, number][])
      if (isTaken(meter)) units[meter] = Math.max(units[meter] ?? 0, count)
  }
  const isOther = (meter: Meter) => !isTokenMeter(meter)
  const isOutput = (meter: Meter) => isTokenMeter(meter) && !isInputMeter(meter)
  take(inputShrinks ? before : later, isInputMeter)
  take(outputShrinks ? before : later, isOutput)
  take(before, isOther)
  take(later, isOther)
  const { reasoning } = outputShrinks ? before : later
  const billed = [before, later].flatMap(({ billed: bill }) => bill ?? [])
  const most = billed.toSorted((a, b) => b - a)[0]
  return {
    units,
    reasoning,
    estimated: later.estimated,
    ...(most !== undefined && { billed: most }),
    ...(served !== undefined && { served }),
  }
}
