/** The code that the system, the runtime or a database gave an error; null for an error without one. */
export const errorCode = (thrown: unknown): string | null =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null
