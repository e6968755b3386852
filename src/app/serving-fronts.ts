import type { NodeId } from '../ledger/leased/exchange'
import type { Owner } from '../processes/owner'

/** Where a front answers. */
interface FrontUrls {
  readonly url: string
  readonly operatorUrl: string
}

/** Fronts that an owner began and that serve by now. */
export class ServingFronts {
  readonly #serving = new Map<NodeId, FrontUrls>()
  #unfit: Error | null = null
  #changed = Promise.withResolvers<void>()

  serves(node: NodeId, urls: FrontUrls): void {
    this.#serving.set(node, urls)
    this.#tell()
  }

  /** One of them cannot serve, nor will another one. */
  fails(why: Error): void {
    this.#unfit ??= why
    this.#tell()
  }

  /** Resolves when so many serve. @throws Error when one of them cannot */
  async atLeast(count: number): Promise<FrontUrls> {
    for (;;) {
      if (this.#unfit !== null) throw this.#unfit
      const [any] = this.#serving.values()
      if (any !== undefined && this.#serving.size >= count) return any
      await this.#changed.promise
    }
  }

  #tell(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/**
 * Begins the fronts of an owner. Those of an earlier one are replaced one by one: each goes on taking connections
 * until another one does.
 * @returns where they answer, and how many were replaced
 * @throws Error when one cannot serve
 */
export async function beginFronts(
  owner: Pick<Owner, 'begin' | 'add' | 'dismiss'>,
  serving: ServingFronts,
  count: number,
): Promise<FrontUrls & { readonly replaced: number }> {
  if (owner.begin()) return { ...(await serving.atLeast(count)), replaced: 0 }
  let replaced = 0
  for (let begun = 1; begun <= count; begun++) {
    owner.add()
    await serving.atLeast(begun)
    if (owner.dismiss()) replaced++
  }
  // There may have been more of them.
  while (owner.dismiss()) replaced++
  return { ...(await serving.atLeast(count)), replaced }
}
