/** `rejects` would stand still: what a thread answers is heard by the event loop alone. */
export const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (fault: unknown) => fault,
  )
