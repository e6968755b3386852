/** Set by `./scripts/test --long`. */
export const isLong = process.env['CHAPAR_LONG_TESTS'] === '1'

/** Campaigns that draw what they play: their rounds in a run of all tests, and in a long one. */
const campaigns = {
  'card payments': [20, 200],
  'charges nobody covers': [6, 100],
  controls: [30, 600],
  'exchange model': [4, 60],
  'group prices': [12, 120],
  'kill under load': [8, 100],
  'lease weather': [300, 10_000],
  ledger: [1, 10],
  'ledger kills': [5, 100],
  'node faults': [10, 60],
  'node kills': [6, 100],
  'price decisions': [8, 80],
  'reasoning conversations': [30, 600],
  'sign-in strangers': [1, 30],
  'summed calls': [30_000, 500_000],
  'token strings': [1000, 100_000],
} as const satisfies Readonly<Record<string, readonly [usual: number, long: number]>>

/** Rounds of a campaign in this run. */
export const roundsOf = (campaign: keyof typeof campaigns): number =>
  campaigns[campaign][isLong ? 1 : 0]

/** Where a campaign begins to draw: `CHAPAR_SEED=7 ./scripts/test rounds` draws another one. */
export const firstSeed = Number(process.env['CHAPAR_SEED'] ?? 1)
