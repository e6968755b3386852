import type { AccountSlot } from './limits'

/** A slot that is given back once, however often it is released. A class, since every call makes one. */
export class HeldSlot<Holder> implements AccountSlot {
  readonly #giveBack: (holder: Holder) => void
  readonly #holder: Holder
  #isTaken = true

  constructor(giveBack: (holder: Holder) => void, holder: Holder) {
    this.#giveBack = giveBack
    this.#holder = holder
  }

  release(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    this.#giveBack(this.#holder)
  }
}
