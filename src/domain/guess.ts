/**
 * One guess at a secret, counted before it is compared.
 *
 * Whatever compares a code, a password, a ticket or the token of a link takes one, so that nothing is compared
 * for an address that must wait. Only `limits/` makes them; `test/house.test.ts` keeps that.
 */
export class Guess {
  readonly #forgive: () => void

  constructor(forgive: () => void) {
    this.#forgive = forgive
  }

  /** Gives it back, where the secret was right or nothing was compared. */
  forgive(): void {
    this.#forgive()
  }
}
