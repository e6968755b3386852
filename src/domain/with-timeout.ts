/** What somebody waits for and goes on without, once it takes too long. */
type Within<Result> = { readonly result: Result } | 'late'

/** @throws what `work` throws in time; what it throws later concerns nobody here */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Within<Result>> {
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), ms)
  work.catch(() => {})
  try {
    return await Promise.race([work.then((result) => ({ result })), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
