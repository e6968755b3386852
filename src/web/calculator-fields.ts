import type { Rates } from './call-price'
import { partsOfMeter } from './meter-words'

/** Unit of a calculator's field: the meter's own, or minutes of its seconds. */
const kinds = {
  input: 'tokens',
  output: 'tokens',
  input_audio: 'tokens',
  output_audio: 'tokens',
  input_image: 'tokens',
  output_image: 'tokens',
  cached_input: 'tokens',
  cached_input_audio: 'tokens',
  cached_input_image: 'tokens',
  cache_write_5m: 'tokens',
  cache_write_1h: 'tokens',
  image: 'pictures',
  video_second: 'seconds',
  audio_second: 'minutes',
  character: 'characters',
  tool: 'uses',
} as const

type FieldKind = (typeof kinds)[keyof typeof kinds]

/** A number that the calculator asks for. */
export interface CalculatorField {
  /** Name of the meter, without a size or quality. */
  readonly base: string
  readonly kind: FieldKind
  /** Meters of which one is counted: one, or one for each size and quality. */
  readonly meters: readonly string[]
  /** What is typed to begin with. */
  readonly preset: string
  /** What few calls have. */
  readonly isRare: boolean
}

const presets: Readonly<Record<string, string>> = {
  input: '1000',
  output: '500',
  image: '1',
  video_second: '8',
  audio_second: '1',
  character: '1000',
}

const rare = /^(?:cached|cache_write|tool|input_image|cached_input)/
const partial = 'image:partial'
const order = Object.keys(kinds)

/** Fields of the calculator of a model, in the order that people think of them. */
export function fieldsOf({ base: rates }: Pick<Rates, 'base'>): readonly CalculatorField[] {
  const groups = new Map<string, string[]>()
  for (const meter of Object.keys(rates)) {
    const [base] = partsOfMeter(meter)
    if (!(base in kinds)) continue
    // Each tool is used by itself; of sizes and qualities one is chosen, parts of a picture beside it.
    const group = base === 'tool' || meter === partial ? meter : base
    groups.set(group, [...(groups.get(group) ?? []), meter])
  }
  return [...groups]
    .map(([group, meters]) => {
      const base = partsOfMeter(group)[0]
      const isRare = rare.test(base) || group === partial
      return {
        base,
        kind: kinds[base as keyof typeof kinds],
        meters,
        preset: isRare ? '0' : (presets[base] ?? '0'),
        isRare,
      }
    })
    .sort((a, b) => order.indexOf(a.base) - order.indexOf(b.base))
}

/** Sizes of calls that people think of, for models of text. */
export const textSizes = {
  short: { input: '100', output: '200' },
  talk: { input: '5000', output: '800' },
  document: { input: '40000', output: '1500' },
} as const
/** Name of a usual size of call. */
export type TextSize = keyof typeof textSizes
