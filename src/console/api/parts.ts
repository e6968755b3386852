/** What the API of the pages needs of the rooms around it. */
export interface ConsoleParts {
  /** As people read it. */
  serviceName(): string
  /** Where the service is reached, without a path; null: wherever a request came to. */
  readonly publicUrl: string | null
  /** It is reached by https: cookies are sent nowhere else. */
  readonly isSecure: boolean
  /** Told of what nobody foresaw. */
  onFault(fault: unknown): void
}
