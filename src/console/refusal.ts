/** Refusal by the web app's API: a code and the facts of its text, which the page has in its language. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 503,
    readonly code: string,
    readonly facts: Readonly<Record<string, string | number>> = {},
  ) {
    super(code)
    this.name = 'Refusal'
  }
}
