import { existsSync } from 'node:fs'

/** Of the distribution, for programs with threads; absent where it is not installed. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** Whether the clocks of programs can be set. */
export const canFakeTime = library !== undefined

/**
 * A command before a program, whose wall clock is set from then on; its monotonic clock is true. The command of the
 * package would be the process that signals reach, and would leave the program behind.
 * @param time variable that says what the clock shows, as libfaketime reads it
 */
export const withFakedTime = (
  time: `FAKETIME${'' | '_TIMESTAMP_FILE'}=${string}`,
): readonly string[] => [
  'env',
  `LD_PRELOAD=${library}`,
  time,
  'FAKETIME_NO_CACHE=1',
  'FAKETIME_DONT_FAKE_MONOTONIC=1',
  'DONT_FAKE_MONOTONIC=1',
]
