/** Methods of a store as this engine does them: at once, so that several are one transaction. */
export type Rows<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (
    ...given: infer Given
  ) => Promise<infer Result>
    ? (...given: Given) => Result
    : Store[Name]
}

/** A store whose every method is asynchronous. */
type AsynchronousStore<Store> = {
  readonly [Name in keyof Store]: (...given: never[]) => Promise<unknown>
}

/** The store of rows: what they do at once, and what they throw, as promises. */
export function storeOf<Store extends AsynchronousStore<Store>>(rows: Rows<Store>): Store {
  const methods: Record<string, (...given: unknown[]) => Promise<unknown>> = {}
  for (const [name, method] of Object.entries<(...given: unknown[]) => unknown>(rows as never))
    methods[name] = async (...given) => method(...given)
  return methods as unknown as Store
}
