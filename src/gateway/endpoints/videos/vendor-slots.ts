/** Concurrency of polls by vendor, so that none waits for another's. */
export class VendorSlots {
  /** Vendors at which something runs. */
  readonly running = new Map<string, number>()
  readonly #most: number

  /** @param most work of one vendor at the same time */
  constructor(most: number) {
    this.#most = most
  }

  isFree(vendor: string): boolean {
    return (this.running.get(vendor) ?? 0) < this.#most
  }

  /** @param work never throws */
  async run(vendor: string, work: () => Promise<void>): Promise<void> {
    this.running.set(vendor, (this.running.get(vendor) ?? 0) + 1)
    await work()
    const left = (this.running.get(vendor) ?? 1) - 1
    if (left === 0) this.running.delete(vendor)
    else this.running.set(vendor, left)
  }
}
