/** Sockets that listen at one port, in the order in which the kernel keeps them. */
export class ListenerOrder {
  readonly #order: { readonly pid: number; readonly at: number }[] = []

  /** @param at when it began to listen, by a time that all processes of the machine share */
  add(pid: number, at: number): void {
    this.#order.push({ pid, at })
    // Processes that began together tell of it in any order.
    for (let last = this.#order.length - 1; last > 0; last--) {
      const [one, two] = [this.#order[last - 1], this.#order[last]]
      if (one === undefined || two === undefined || one.at <= two.at) return
      this.#order.splice(last - 1, 2, two, one)
    }
  }

  /** Where one of several stands; null where there is no other. */
  placeOf(pid: number): { readonly index: number; readonly of: number } | null {
    const index = this.#order.findIndex((each) => each.pid === pid)
    return index < 0 || this.#order.length < 2 ? null : { index, of: this.#order.length }
  }

  /** The last one takes the place of one that is closed: `reuseport_detach_sock` of Linux. */
  remove(pid: number): void {
    const index = this.#order.findIndex((each) => each.pid === pid)
    const last = index < 0 ? undefined : this.#order.pop()
    if (last !== undefined && last.pid !== pid) this.#order[index] = last
  }
}
