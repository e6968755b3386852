import type { DialectName } from '../../src/gateway/vendors/openai/dialects'

/*
 * Models of six vendors in four wire formats. A conversation goes to another one each turn.
 */

export type WireFormat = 'chat' | 'messages' | 'gemini' | 'responses'

/** Prices in dollars a million, with digits that no binary fraction has. */
interface Prices {
  readonly input: string
  readonly cached: string
  readonly written: string
  readonly writtenLong: string
  readonly output: string
}

interface VendorModel {
  readonly kind: 'anthropic' | 'google' | 'openai'
  readonly dialect: DialectName
  readonly format: WireFormat
  /** Options of `model add` beside those that all have. */
  readonly traits: readonly string[]
  readonly prices: Prices
}

const claude = { kind: 'anthropic', dialect: 'generic', format: 'messages' } as const
const chat = { kind: 'openai', format: 'chat' } as const

const prices = (input: string, cached: string, output: string): Prices => ({
  input,
  cached,
  written: '4.1235',
  writtenLong: '6.7891',
  output,
})

export const models = {
  sealed: {
    ...chat,
    dialect: 'openai',
    format: 'responses',
    traits: ['chat="responses"', 'reasoning=true'],
    prices: prices('1.2503', '0.1257', '10.0009'),
  },
  adaptive: {
    ...claude,
    traits: ['thinking="adaptive"', 'reasoning=true'],
    prices: prices('3.3331', '0.3337', '15.1501'),
  },
  signed: {
    kind: 'google',
    dialect: 'generic',
    format: 'gemini',
    traits: ['thinking="level"', 'efforts=["low","high"]', 'reasoning=true'],
    prices: prices('2.0007', '0.2011', '12.3457'),
  },
  kimi: {
    ...chat,
    dialect: 'moonshot',
    traits: ['reasoning=true'],
    prices: prices('0.6053', '0.1513', '2.5013'),
  },
  plain: {
    ...chat,
    dialect: 'openai',
    traits: ['reasoning=true'],
    prices: prices('2.7503', '1.3751', '11.0021'),
  },
  budget: {
    ...claude,
    traits: ['thinking="budget"', 'reasoning=true'],
    prices: prices('3.0011', '0.3019', '15.0037'),
  },
  mistral: {
    ...chat,
    dialect: 'mistral',
    traits: ['reasoning=true'],
    prices: prices('0.4003', '0.0401', '2.0029'),
  },
} as const satisfies Readonly<Record<string, VendorModel>>

export type ModelId = keyof typeof models
export const modelIds = Object.keys(models) as ModelId[]
export const isModelId = (id: string): id is ModelId => id in models

/** What a vendor counted for one answer. */
export interface Counted {
  /** All of the prompt, with what was read of a cache or written into one. */
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly writtenLong: number
  /** With what was thought. */
  readonly output: number
  readonly thought: number
}

/** Counts that no two answers share, of what the format can tell. */
export function countsOf(format: WireFormat, dialect: DialectName, at: number): Counted {
  const tellsWrites = format === 'messages'
  return {
    input: 2000 + 7 * at,
    cached: dialect === 'mistral' ? 0 : 300 + at,
    written: tellsWrites ? 40 + at : 0,
    writtenLong: tellsWrites ? 11 : 0,
    output: 90 + 3 * at,
    thought: 20 + at,
  }
}

const digits = 4
const scaled = (price: string): bigint => BigInt(Math.round(Number(price) * 10 ** digits))

/** The charge in nano-dollars, in integers: no arithmetic of the program has a part in it. */
export function chargeOf(
  { prices: { input, cached, written, writtenLong, output } }: VendorModel,
  counted: Counted,
) {
  const plain = counted.input - counted.cached - counted.written - counted.writtenLong
  const sum =
    BigInt(plain) * scaled(input) +
    BigInt(counted.cached) * scaled(cached) +
    BigInt(counted.written) * scaled(written) +
    BigInt(counted.writtenLong) * scaled(writtenLong) +
    BigInt(counted.output) * scaled(output)
  // Dollars a million tokens are a thousand nano-dollars a token.
  const [nanos, parts] = [sum * 1000n, BigInt(10 ** digits)]
  return (nanos + parts - 1n) / parts
}
