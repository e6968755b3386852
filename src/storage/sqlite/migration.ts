/** One migration as drizzle reads it from its folder. */
export interface Migration {
  readonly sql: readonly string[]
  /** When it was generated, in milliseconds: its name in the database. */
  readonly folderMillis: number
  readonly hash: string
}
