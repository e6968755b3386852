/**
 * How often a test draws what it plays: `CHAPAR_THOROUGH=10 ./scripts/test property` plays ten times as much as the run
 * of all tests has time for.
 */
export const repeats = (times: number): number =>
  Math.ceil(times * Number(process.env['CHAPAR_THOROUGH'] ?? 1))
