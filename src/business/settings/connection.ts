/** A service outside that the operator set up, by what it is for. */
export type ConnectionName = 'mail' | 'verification'

export interface Connected {
  /** Its parts that are not secret. */
  readonly fields: Readonly<Record<string, string>>
  /** Null where it needs none, or where the key that sealed it is lost. */
  readonly secret: string | null
}

/** Services that the operator set up; each change is a line of the trail, without the secret. */
export interface ConnectionStore {
  find(name: ConnectionName): Promise<Connected | null>
  save(name: ConnectionName, connected: Connected): Promise<void>
  /** @returns whether there was one */
  remove(name: ConnectionName): Promise<boolean>
}
