import type { LeaseAnswer } from '../../../src/ledger/leased/exchange'
import { NodeSlices } from '../../../src/ledger/leased/node-slices'
import type { HoldResult, Slice } from '../../../src/ledger/leased/slice'
import type { SumScope } from '../../../src/ledger/store'
import {
  SimulatedBank,
  type Fault,
  type SimulatedCall,
  type SimulatedExchange,
} from './simulated-bank'
import { Agenda, seeded } from './weather'

/** What rounds came to, added up. */
export interface Score {
  grants: number
  refused: number
  late: number
  unavailable: number
  grown: number
  crashes: number
  pauses: number
  takeOvers: number
  exchanges: number
}

export const noScore = (): Score => ({
  grants: 0,
  refused: 0,
  late: 0,
  unavailable: 0,
  grown: 0,
  crashes: 0,
  pauses: 0,
  takeOvers: 0,
  exchanges: 0,
})

const ttlMs = 1000
const beatMs = 200
const stopAtMs = 12_000
const endAtMs = 60_000
const maxSteps = 400_000

interface SimulatedHold {
  readonly slices: readonly Slice[]
  readonly reserved: number
  held: number
}

interface SimulatedNode {
  readonly slices: NodeSlices
  readonly drift: number
  readonly holds: Map<number, SimulatedHold>
  calls: SimulatedCall[]
  flight: SimulatedExchange | null
  up: boolean
  pausedUntil: number
  readonly inbox: (() => void)[]
}

/** Least that was truly free, in each scope of a call that waits. */
interface Watched {
  readonly node: SimulatedNode
  readonly least: Map<string, number>
}

/** One round: a few nodes before one bank, in the weather of its seed. */
export class Simulation {
  readonly #random: () => number
  readonly #agenda = new Agenda()
  readonly #bank: SimulatedBank
  readonly #nodes: SimulatedNode[] = []
  readonly #watched = new Map<number, Watched>()
  readonly #settled = new Map<number, number>()
  readonly #fault: Fault
  readonly #score: Score
  readonly #weather: ReturnType<Simulation['forecast']>
  readonly #purses: (readonly { readonly scope: SumScope; readonly limit: number | null }[])[] = []
  /** Cost above its hold, not yet in the bank. */
  #overAhead = 0
  #ended = false
  #calls = 0

  constructor(seed: number, fault: Fault, score: Score) {
    this.#random = seeded(seed)
    this.#fault = fault
    this.#score = score
    this.#bank = new SimulatedBank(ttlMs, fault)
    this.#weather = this.forecast()
    this.#openPurses()
  }

  #int(below: number): number {
    return Math.floor(this.#random() * below)
  }

  #often(share: number): boolean {
    return this.#random() < share
  }

  forecast() {
    return {
      nodes: 2 + this.#int(4),
      loss: this.#often(0.3) ? 0 : this.#random() * 0.2,
      maxDelayMs: 1 + this.#int(this.#often(0.3) ? 300 : 20),
      isRough: this.#often(0.7),
      overCost: this.#often(0.3) ? 0.1 : 0,
      maxNeed: 1 + this.#int(this.#often(0.5) ? 10 : 100),
      possible: this.#often(0.5) ? 0.3 : 0,
      grows: this.#often(0.5) ? 0.2 : 0,
      maxCalls: this.#often(0.3) ? 3 : 1000,
      gapMs: 1 + this.#int(Math.min(40, 200 / (1 + this.#int(40)))),
    }
  }

  /** Two accounts, three keys, a cap of some and one of all. */
  #openPurses(): void {
    const amount = () => 20 + this.#int(this.#often(0.5) ? 200 : 5000)
    const cap = (scope: SumScope) => {
      const limit = this.#often(0.5) ? null : amount()
      if (limit !== null) this.#bank.open(`${scope.kind} ${scope.id} ${scope.period}`, limit)
      return { scope, limit }
    }
    const service = cap({ kind: 'service-day', id: 0, period: '2026-11-20' })
    const balances = [1, 2].map((id) => {
      const scope = { kind: 'balance', id, period: '' } as SumScope
      this.#bank.open(`balance ${id} `, amount())
      return { scope, limit: 0 }
    })
    for (const [key, account] of [
      [1, 0],
      [2, 0],
      [3, 1],
    ] as const) {
      const own = cap({ kind: 'key', id: key, period: '' } as SumScope)
      const balance = balances[account]
      if (balance !== undefined) this.#purses.push([own, service, balance])
    }
  }

  /** @throws Error when something is wrong */
  run(): void {
    const { nodes, isRough, gapMs } = this.#weather
    for (let i = 0; i < nodes; i++) this.#start()
    const calls = 60 + this.#int(200)
    for (let i = 0; i < calls; i++)
      this.#agenda.after(50 + i * gapMs + this.#int(50), () => this.#call())
    if (isRough)
      for (let i = 0; i < 3; i++) {
        this.#agenda.after(this.#int(6000), () => this.#accident())
        this.#agenda.after(this.#int(6000), () => this.#deposit())
      }
    this.#agenda.after(300, () => this.#takeOver())
    let steps = 0
    while (this.#agenda.step(endAtMs)) {
      if (this.#agenda.now > stopAtMs) this.#ended = true
      if (++steps > maxSteps) throw new Error('never quiet')
    }
    this.#checkEnd()
  }

  #clock({ drift }: SimulatedNode): number {
    return this.#agenda.now * drift
  }

  #delay(): number {
    return 1 + this.#int(this.#weather.maxDelayMs)
  }

  #isLost(): boolean {
    return this.#random() < this.#weather.loss
  }

  /** What a process does while it is up, and once it goes on where it stood still. */
  #does(node: SimulatedNode, work: () => void): void {
    if (!node.up) return
    if (node.pausedUntil > this.#agenda.now) return void node.inbox.push(work)
    work()
    this.#look()
  }

  #start(): void {
    const id = this.#nodes.length + 1
    const rules = {
      ttlMs,
      waitMs: ttlMs,
      patienceMs: 100,
      coverMs: 1000,
      idleMs: 2000,
      // Fewer than there are scopes: some of what is stirred waits for the next exchange.
      maxLines: 1,
      looks: this.#fault === 'one-look' ? 1 : 2,
    }
    const slices = new NodeSlices(id, {
      ...rules,
      ttlMs: this.#fault === 'no-self-fence' ? Number.POSITIVE_INFINITY : ttlMs,
    })
    const node: SimulatedNode = {
      slices,
      drift: 0.99 + this.#random() * 0.02,
      holds: new Map(),
      calls: [],
      flight: null,
      up: true,
      pausedUntil: 0,
      inbox: [],
    }
    this.#nodes.push(node)
    const beat = () => {
      if (!node.up) return
      if (this.#ended && this.#agenda.now > stopAtMs + 8000 && this.#isDone(node)) return
      this.#does(node, () => {
        slices.tick(this.#clock(node))
        slices.sweep(this.#clock(node))
        this.#step(node, true)
      })
      this.#agenda.after(beatMs, beat)
    }
    this.#agenda.after(this.#delay(), () => {
      this.#bank.book.register(id, this.#agenda.now)
      beat()
    })
  }

  #isDone({ slices, holds, calls, flight }: SimulatedNode): boolean {
    const isIdle = flight === null && holds.size === 0 && calls.length === 0
    return (
      isIdle && !slices.isWaiting() && [...slices.shelves.all()].every(({ amount }) => amount === 0)
    )
  }

  #step(node: SimulatedNode, beats = false): void {
    const { slices } = node
    if (node.flight !== null || slices.fenced) return
    if (!beats && !slices.isStirred() && node.calls.length === 0) return
    const calls = node.calls.splice(0, this.#weather.maxCalls)
    for (const call of calls) slices.charge(call.slices, call.cost)
    node.flight = { ...slices.next(this.#clock(node)), calls, durable: false }
    this.#send(node, node.flight)
  }

  #send(node: SimulatedNode, exchange: SimulatedExchange): void {
    this.#score.exchanges++
    let isOver = false
    if (!this.#isLost())
      this.#agenda.after(this.#delay(), () => {
        const answer = this.#bank.answer(exchange, this.#agenda.now)
        this.#check()
        this.#look()
        this.#tell()
        if (this.#isLost()) return
        this.#agenda.after(this.#delay(), () =>
          this.#does(node, () => {
            if (isOver) return
            isOver = true
            this.#got(node, answer)
          }),
        )
      })
    // No answer: the same exchange again, under its number.
    this.#agenda.after(60 + 2 * this.#weather.maxDelayMs, () =>
      this.#does(node, () => {
        if (isOver || node.flight !== exchange) return
        isOver = true
        this.#send(node, exchange)
      }),
    )
  }

  /** The hint that somebody asks; where it is lost, the next answer brings it. */
  #tell(): void {
    for (const { node: id, scope, no } of this.#bank.book.raised()) {
      const node = this.#nodes.find((each) => each.slices.node === id)
      if (node === undefined || this.#isLost()) continue
      this.#agenda.after(this.#delay(), () =>
        this.#does(node, () => {
          node.slices.hint(scope, no)
          this.#step(node)
        }),
      )
    }
  }

  #got(node: SimulatedNode, answer: LeaseAnswer): void {
    const { slices } = node
    slices.reply(answer, this.#clock(node))
    node.flight = null
    if (slices.fenced) {
      node.up = false
      if (!this.#ended) this.#agenda.after(50, () => this.#start())
      return
    }
    const waits = slices.isWaiting()
    if (!waits && !slices.isStirred() && node.calls.length === 0) return
    this.#agenda.after(waits && !slices.isAsking() ? 10 : 2, () =>
      this.#does(node, () => {
        slices.tick(this.#clock(node))
        slices.askAgain()
        this.#step(node)
      }),
    )
  }

  #call(): void {
    const up = this.#nodes.filter((each) => each.up)
    const node = up[this.#int(up.length)]
    if (node === undefined) return
    const id = ++this.#calls
    const need = 1 + this.#int(this.#weather.maxNeed)
    const possible = this.#often(this.#weather.possible) ? need + this.#int(2 * need) : need
    const purse = this.#purses[this.#int(this.#purses.length)] ?? []
    this.#does(node, () => {
      const all = purse.map(({ scope, limit }) => this.#sliceOf(node, scope, limit))
      const slices = this.#fault === 'one-scope' ? all.slice(-1) : all
      this.#watched.set(id, { node, least: new Map(slices.map(({ name }) => [name, Infinity])) })
      this.#look()
      const asked = { slices, need, possible, endsAtMoney: true, isContent: false }
      const over = (granting: HoldResult) => this.#over(node, id, need, all, granting)
      const granting = node.slices.hold(asked, this.#clock(node))
      if (granting === null) node.slices.wait(asked, this.#clock(node), over)
      else over(granting)
      this.#step(node)
    })
  }

  #sliceOf(node: SimulatedNode, scope: SumScope, limit: number | null): Slice {
    const slice = node.slices.of(scope)
    if (scope.kind !== 'balance') slice.limitTo(limit)
    if (this.#fault === 'no-check') slice.free = () => Number.POSITIVE_INFINITY
    return slice
  }

  #over(
    node: SimulatedNode,
    id: number,
    need: number,
    slices: readonly Slice[],
    granting: HoldResult,
  ): void {
    this.#look()
    const least = this.#watched.get(id)?.least
    this.#watched.delete(id)
    if (granting.how === 'refused') {
      this.#score.refused++
      const there = least?.get(granting.by.name) ?? Infinity
      if (there >= need)
        throw new Error(
          `${id} needs ${need}: refused, with ${there} or more in ${granting.by.name}`,
        )
    } else if (granting.how === 'granted') {
      this.#score.grants++
      if (this.#bank.book.nodes.get(node.slices.node)?.isDead === true)
        throw new Error('granted by a node that was taken over')
      if (this.#fault === 'one-scope')
        for (const slice of slices.slice(0, -1)) {
          slice.take(need, 0)
          slice.reserved += granting.reserved
          slice.holds++
        }
      node.holds.set(id, { slices, reserved: granting.reserved, held: need })
      if (this.#often(this.#weather.grows))
        this.#agenda.after(1 + this.#int(100), () => this.#grow(node, id))
      this.#agenda.after(1 + this.#int(300), () => this.#end(node, id))
    } else {
      this.#score[granting.how]++
      // A refusal that names a scope says that it is short.
      if (granting.how === 'late' && granting.by.reach() >= need)
        throw new Error(
          `${id} needs ${need}: late, with ${granting.by.reach()} in ${granting.by.name}`,
        )
    }
  }

  #grow(node: SimulatedNode, id: number): void {
    this.#does(node, () => {
      const hold = node.holds.get(id)
      if (hold === undefined || node.slices.fenced) return
      const by = 1 + this.#int(this.#weather.maxNeed)
      if (node.slices.grow(hold.slices, by, 0, this.#clock(node)) !== null) return
      hold.held += by
      this.#score.grown++
    })
  }

  #end(node: SimulatedNode, id: number): void {
    this.#does(node, () => {
      const hold = node.holds.get(id)
      if (node.slices.fenced || hold === undefined) return
      node.holds.delete(id)
      let cost = this.#int(hold.held + 1)
      if (this.#often(this.#weather.overCost)) cost = hold.held + 1 + this.#int(5)
      if (this.#often(0.1)) cost = 0
      this.#overAhead += Math.max(0, cost - hold.held)
      this.#settled.set(id, cost)
      for (const slice of hold.slices) {
        slice.reserved -= hold.reserved
        slice.holds--
      }
      node.slices.drop(hold.slices, hold.held, cost, this.#clock(node))
      if (cost > 0) node.calls.push({ id, cost, slices: hold.slices })
      this.#step(node)
    })
  }

  #accident(): void {
    const up = this.#nodes.filter((each) => each.up)
    const node = up[this.#int(up.length)]
    if (node === undefined) return
    if (this.#often(0.5)) {
      this.#score.crashes++
      node.up = false
      for (const [id, watched] of this.#watched) if (watched.node === node) this.#watched.delete(id)
      this.#agenda.after(100 + this.#int(1000), () => this.#start())
      return
    }
    this.#score.pauses++
    node.pausedUntil = this.#agenda.now + this.#int(3000)
    this.#agenda.after(node.pausedUntil - this.#agenda.now, () => {
      for (const work of node.inbox.splice(0)) if (node.up) work()
    })
  }

  #deposit(): void {
    this.#bank.deposit('balance 1 ', 1 + this.#int(500))
    this.#check()
    this.#look()
    for (const { slices } of this.#nodes) if (this.#often(0.5)) slices.expire()
  }

  #takeOver(): void {
    const { book } = this.#bank
    const node = this.#nodes.find((each) => each.up && each.pausedUntil <= this.#agenda.now)
    if (node !== undefined)
      this.#score.takeOvers += book.takeOver(node.slices.node, this.#agenda.now).length
    this.#check()
    this.#look()
    const lives = [...book.nodes.values()].some(({ isDead }) => !isDead)
    if (this.#agenda.size() > 0 && (lives || !this.#ended))
      this.#agenda.after(300, () => this.#takeOver())
  }

  /** Charged and held here, as far as the bank does not know it. */
  #usedBy(node: SimulatedNode, scope: string): number {
    const slice = node.slices.shelves.named(scope)
    if (slice === null) return 0
    const { flight, slices } = node
    const isDone = flight !== null && (this.#bank.done.get(slices.node) ?? 0) >= flight.no
    const charged = isDone ? flight.lines.find((line) => line.scope === scope)?.charged : 0
    return Math.max(0, slice.held + slice.unwritten - (charged ?? 0))
  }

  /** Free at this instant: nothing that a living node holds or has charged, or a silent one keeps. */
  #truly(scope: string): number {
    let free = this.#bank.base(scope)
    const slices = this.#bank.book.leases.get(scope)?.slices
    for (const node of this.#nodes) {
      const isSilent = !node.up || node.pausedUntil > this.#agenda.now
      free -= isSilent ? (slices?.get(node.slices.node)?.amount ?? 0) : this.#usedBy(node, scope)
    }
    return free
  }

  #look(): void {
    if (this.#watched.size === 0) return
    const free = new Map<string, number>()
    for (const { least } of this.#watched.values())
      for (const [scope, was] of least) {
        if (!this.#bank.funds.has(scope)) continue
        let now = free.get(scope)
        if (now === undefined) free.set(scope, (now = this.#truly(scope)))
        if (now < was) least.set(scope, now)
      }
  }

  #check(): void {
    this.#bank.check()
    for (const scope of this.#bank.funds.keys()) {
      let held = 0
      for (const node of this.#nodes) {
        const isDead = this.#bank.book.nodes.get(node.slices.node)?.isDead !== false
        if (node.up && !node.slices.fenced && !isDead) held += this.#usedBy(node, scope)
      }
      const left = this.#bank.base(scope) - held
      if (left < -this.#bank.overOf(scope) - this.#overAhead)
        throw new Error(`${scope}: ${held} held where ${this.#bank.base(scope)} is left`)
    }
  }

  /** Quiet: everything is given back, every charge of a living node is written, exactly once. */
  #checkEnd(): void {
    this.#bank.check()
    for (const node of this.#nodes) {
      if (!node.up || node.slices.fenced) continue
      for (const slice of node.slices.shelves.all()) {
        const { name, held, reserved, unwritten, amount, line } = slice
        if (held !== 0 || reserved !== 0 || unwritten !== 0 || amount !== 0 || line.length > 0)
          throw new Error(
            `node ${node.slices.node} is not quiet: ${name} ${JSON.stringify({ held, reserved, unwritten, amount, line: line.length })}`,
          )
      }
      if (node.calls.length > 0) throw new Error('a charge was not written')
    }
    for (const [scope, { leased }] of this.#bank.book.leases)
      if (leased !== 0) throw new Error(`${leased} of ${scope} leased at the end`)
    for (const [id, cost] of this.#bank.charges)
      if (this.#settled.get(id) !== cost) throw new Error(`call ${id} was charged ${cost}`)
  }
}
