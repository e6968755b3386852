/**
 * Promise of an asynchronous function that threw. Functions that each call passes, and that wait for
 * nothing mostly, are no asynchronous ones: those cost four objects more.
 */
export const rejected = (thrown: unknown): Promise<never> =>
  Promise.reject(thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown }))
