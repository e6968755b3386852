/** The cookies of one browser at one site. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  keep(headers: Headers): void {
    for (const set of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (set.includes('Max-Age=0')) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }

  /** Those that say who is signed in; empty before. */
  session(): string {
    return this.#text((name) => !name.endsWith('-browser'))
  }

  /** As they are sent. */
  all(): string {
    return this.#text(() => true)
  }

  #text(isWanted: (name: string) => boolean): string {
    return [...this.#cookies]
      .filter(([name]) => isWanted(name))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
  }
}
