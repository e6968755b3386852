import { parseUsd } from '../../src/domain/money'
import type { Customer, Fleet } from './fleet'

/** A call that was answered to its end. */
interface Answered {
  readonly id: string
  readonly isShort: boolean
  /** By the monotonic clock. */
  readonly atMs: number
}

/** A frozen process answers no client, and clients do not wait for ever. */
const patienceMs = 4000
/** Money of a scope that runs out meanwhile, in dollars. */
const shortOf = '0.02'
/** More than one short call holds, in dollars. */
export const oneCall = 0.0002

const codeIn = (body: string): string => /"code":\s*"(\w+)"/.exec(body)?.[1] ?? 'without a code'

/** Customers of a mixed load. */
interface Customers {
  readonly rich: Customer
  /** With few calls a minute, and few at a time. */
  readonly limited: Customer
  /** Its money, the month's budget of its project or the limit of its key runs out. */
  readonly running: Readonly<Record<'account' | 'project' | 'key', Customer>>
}

async function openCustomers(fleet: Fleet): Promise<Customers> {
  const { directory } = fleet.storage
  const running = {
    account: await fleet.customer(shortOf),
    project: await fleet.customer('50'),
    key: await fleet.customer('50'),
  }
  await directory.setProject(running.project.project as never, { monthlyBudget: parseUsd(shortOf) })
  await directory.setKey(running.key.key as never, { spendLimit: parseUsd(shortOf) })
  return {
    // Videos of a long run cost hundreds.
    rich: await fleet.customer('5000'),
    limited: await fleet.customer('50', { requestsPerMinute: 300, concurrency: 3 }),
    running,
  }
}

const leasesUntilBack = 3

type How = NonNullable<Parameters<Fleet['call']>[2]>

/** Customers who call all gateways in turn, and order videos, until they are told to end. */
export class MixedLoad {
  readonly answered: Answered[] = []
  /** Status and code of answers, by what is short: nothing, or the scope that runs out. */
  readonly statuses: Record<string, number> = {}
  readonly customers: Customers
  readonly #fleet: Fleet
  #isOver = false
  readonly #callers: Promise<void>[] = []

  private constructor(fleet: Fleet, customers: Customers) {
    this.#fleet = fleet
    this.customers = customers
    const { rich, limited, running } = customers
    const all = [rich, limited, ...Object.values(running)]
    for (const customer of all)
      for (let caller = 0; caller < 2; caller++)
        this.#callers.push(
          this.#run(caller, (turn) => this.#text(turn, customer), customer === rich),
        )
    this.#callers.push(this.#run(0, (turn) => this.#video(turn, rich), true))
  }

  static async open(fleet: Fleet): Promise<MixedLoad> {
    return new MixedLoad(fleet, await openCustomers(fleet))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  /**
   * Buys what is left of every scope that ran out. What a call that still runs holds, or a node that died, comes back
   * within some leases: a refusal until then is none of what is left.
   * @returns dollars that are left where calls were refused for so long, by scope
   */
  async buyOut(ttlMs: number): Promise<Readonly<Record<string, number>>> {
    const left: Record<string, number> = {}
    for (const [scope, { secret, account }] of Object.entries(this.customers.running)) {
      const until = performance.now() + leasesUntilBack * ttlMs
      do {
        await this.#buy(secret)
        left[scope] = Number(shortOf) - (await this.#settledOf(account))
      } while (left[scope] >= oneCall && performance.now() < until)
    }
    return left
  }

  /** Calls each gateway in turn until one refuses. */
  async #buy(secret: string): Promise<void> {
    for (let at = 0; ; at++) {
      const answer = await this.#fleet.call(at % this.#fleet.gateways.length, secret)
      await answer.text()
      if (answer.status === 402) return
    }
  }

  /** What an account was charged, once nothing more comes. */
  async #settledOf(account: number): Promise<number> {
    for (let before = -1; ;) {
      const paid = await this.#fleet.paidBy(account)
      if (paid === before) return paid
      before = paid
      await Bun.sleep(500)
    }
  }

  async #run(first: number, ask: (turn: number) => Promise<string>, isRich: boolean) {
    for (let turn = first; !this.#isOver; turn++) {
      // Its gateway died, or stands still.
      const told = await ask(turn).catch(() => 'broken')
      const counted = isRich && told.startsWith('402') ? `${told} with money` : told
      this.statuses[counted] = (this.statuses[counted] ?? 0) + 1
      await Bun.sleep(told === '200' ? 2 : 20)
    }
  }

  async #text(turn: number, { secret }: Customer): Promise<string> {
    const how: How =
      turn % 7 === 3
        ? { stream: true, words: 6, model: 'sandbox/slow-priced' }
        : { stream: turn % 3 === 1 }
    const answer = await this.#fleet.call(this.#gatewayOf(turn), secret, {
      ...how,
      signal: AbortSignal.timeout(patienceMs),
    })
    const body = await answer.text()
    if (answer.status !== 200) return `${answer.status} ${codeIn(body)}`
    const isWhole = how.stream === true ? body.includes('[DONE]') : true
    if (isWhole && !body.includes('"error"')) this.#note(answer, how.model === undefined)
    return '200'
  }

  async #video(turn: number, { secret }: Customer): Promise<string> {
    const { url = '' } = this.#fleet.gateways[this.#gatewayOf(turn)] ?? {}
    const answer = await fetch(`${url}/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/video-priced', prompt: 'the sea' }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const body = await answer.text()
    if (answer.status !== 200) return `${answer.status} ${codeIn(body)}`
    this.#note(answer, false)
    await Bun.sleep(200)
    return '200'
  }

  #gatewayOf(turn: number): number {
    return turn % this.#fleet.gateways.length
  }

  #note({ headers }: Response, isShort: boolean): void {
    this.answered.push({
      id: headers.get('x-request-id') ?? '',
      isShort,
      atMs: performance.now(),
    })
  }
}
