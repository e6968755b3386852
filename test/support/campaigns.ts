/** Set by `./scripts/test --long`. */
export const isLong = process.env['CHAPAR_LONG_TESTS'] === '1'

/** Campaigns that draw what they play: their rounds in a run of all tests, and in a long one. */
const campaigns = {
  'calls before an upgrade': [30_000, 1_000_000],
  'calls of a large service': [60_000, 1_000_000],
  'card payments': [4, 200],
  'charges nobody covers': [3, 100],
  controls: [15, 600],
  'fuzzed requests': [1500, 20_000],
  'exchange model': [2, 60],
  'group prices': [6, 120],
  'kill under load': [3, 100],
  'lease weather': [200, 10_000],
  ledger: [1, 10],
  'ledger kills': [2, 100],
  'node faults': [4, 60],
  'node kills': [3, 100],
  'price decisions': [4, 80],
  'reasoning conversations': [15, 600],
  'replacement kills': [20, 200],
  'replacements under load': [2, 50],
  'sign-in strangers': [1, 30],
  'summed calls': [30_000, 500_000],
  statements: [12, 300],
  'token strings': [1000, 100_000],
  'video kills': [4, 100],
} as const satisfies Readonly<Record<string, readonly [usual: number, long: number]>>

/** Rounds of a campaign in this run. */
export const roundsOf = (campaign: keyof typeof campaigns): number =>
  campaigns[campaign][isLong ? 1 : 0]

/** Where a campaign begins to draw: `CHAPAR_SEED=7 ./scripts/test rounds` draws another one. */
export const firstSeed = Number(process.env['CHAPAR_SEED'] ?? 1)

let drawn = 0

/** Of ways to play the same thing, all in a long run, and else one: another one each time. */
export const drawnOf = <Way>(ways: readonly Way[]): Way[] =>
  isLong ? [...ways] : ways.slice((firstSeed + drawn++) % ways.length).slice(0, 1)

/** All of them in a long run, and else one of so many, evenly. */
export const sampleOf = <Each>(all: Iterable<Each>, oneOf: number): Each[] =>
  [...all].filter((_, at) => isLong || (at + firstSeed) % oneOf === 0)
