import {
  baseOf,
  type LeaseAnswer,
  type LeaseExchange,
  type Line,
  type OtherSlice,
  type SliceRow,
} from '../../../../src/ledger/leased/exchange'
import type { NodeId } from '../../../../src/domain/ids'

/** Balances, and what was spent under caps, by the name of the scope. */
export interface ScopeSums {
  of(scope: string): number
  charge(scope: string, cost: number): void
}

/** How an exchange is to be taken. */
type ExchangeStatus = 'fresh' | 'repeated' | 'fenced'

interface Node {
  /** Number of its newest exchange. */
  no: number
  expires: number
  readonly since: number
  isDead: boolean
}

interface LeasedSlice {
  amount: number
  answered: number
  quiet: boolean
}

/** A scope of which somebody has a slice, or asks. */
interface Lease {
  leased: number
  readonly slices: Map<NodeId, LeasedSlice>
  slot: { no: number; readonly node: NodeId; readonly until: number } | null
}

/** Something that another node is to be asked, as soon as it can be. */
export interface Question {
  readonly node: NodeId
  readonly scope: string
  readonly no: number
}

/** A question is given up after so long, for a node that died with it. */
const slotMs = 500

/** Who has which slices: how an engine answers an exchange, once its calls are kept. */
export class LeaseBook {
  readonly nodes = new Map<NodeId, Node>()
  readonly leases = new Map<string, Lease>()
  /** Scopes that are asked for. */
  readonly #asked = new Map<string, Lease>()
  #questions = 0
  #raised: Question[] = []
  #living = 0
  readonly #sums: ScopeSums
  readonly #ttlMs: number

  constructor(sums: ScopeSums, ttlMs: number) {
    this.#sums = sums
    this.#ttlMs = ttlMs
  }

  register(node: NodeId, now: number): void {
    if (this.nodes.has(node)) throw new Error(`node ${node} is registered`)
    this.nodes.set(node, { no: 0, expires: now + this.#ttlMs, since: now, isDead: false })
    this.#living++
  }

  /** Whether it can be done: nothing changes by asking. */
  standing({ node: id, no }: Pick<LeaseExchange, 'node' | 'no'>): ExchangeStatus {
    const node = this.nodes.get(id)
    // A number that is ahead is of commits that were lost: what the node counts on is not there.
    if (node === undefined || node.isDead || no > node.no + 1) return 'fenced'
    return no > node.no ? 'fresh' : 'repeated'
  }

  /** Does what a fresh exchange asks for, and tells how things stand. */
  answer(exchange: LeaseExchange<unknown>, now: number): LeaseAnswer {
    const { node: id, no, lines } = exchange
    const standing = this.standing(exchange)
    const node = this.nodes.get(id)
    if (standing === 'fenced' || node === undefined)
      return { no, fenced: true, fresh: false, rows: [], asked: [] }
    node.expires = now + this.#ttlMs
    const fresh = standing === 'fresh'
    if (fresh) node.no = no
    if (fresh)
      for (const { scope, charged } of lines) if (charged > 0) this.#sums.charge(scope, charged)
    const rows = lines.map((line) => this.#row(line, id, now, fresh))
    return { no, fenced: false, fresh, rows, asked: this.#askedOf(id, now) }
  }

  /** Takes over what silent nodes left; only a node that lives for a whole lease may. */
  takeOver(by: NodeId, now: number): readonly NodeId[] {
    const me = this.nodes.get(by)
    const isKnown = me !== undefined && !me.isDead && now < me.expires
    if (!isKnown || now - me.since < this.#ttlMs) return []
    const gone = [...this.nodes]
      .filter(([, node]) => !node.isDead && node.expires < now)
      .map(([id]) => id)
    for (const id of gone) this.retire(id)
    return gone
  }

  /** Its slices go back, and nothing that it says counts any more. */
  retire(id: NodeId): void {
    const node = this.nodes.get(id)
    if (node === undefined || node.isDead) return
    node.isDead = true
    this.#living--
    for (const [scope, lease] of this.leases) {
      const slice = lease.slices.get(id)
      if (slice !== undefined) {
        lease.leased -= slice.amount
        lease.slices.delete(id)
      }
      if (lease.slot?.node === id) this.#endQuestion(scope, lease)
      this.#forgetEmpty(scope, lease)
    }
  }

  /** Questions that were raised since the last look. */
  raised(): readonly Question[] {
    if (this.#raised.length === 0) return []
    const raised = this.#raised
    this.#raised = []
    return raised
  }

  /** Number of nodes that are not taken over. */
  living(): number {
    return this.#living
  }

  /** Drops what is known of nodes that are gone. */
  forget(id: NodeId): void {
    if (this.nodes.get(id)?.isDead === true) this.nodes.delete(id)
  }

  #row(line: Line, node: NodeId, now: number, fresh: boolean): SliceRow | null {
    const { scope, limit, takes } = line
    let lease = this.leases.get(scope)
    if (lease === undefined) {
      if (limit === null) return takes ? unleased(this.#sums.of(scope)) : null
      lease = { leased: 0, slices: new Map(), slot: null }
      this.leases.set(scope, lease)
    }
    if (lease.slot !== null && lease.slot.until < now) this.#endQuestion(scope, lease)
    let slice = lease.slices.get(node)
    if (slice === undefined) {
      slice = { amount: 0, answered: 0, quiet: true }
      lease.slices.set(node, slice)
    }
    const sum = this.#sums.of(scope)
    const short = fresh && this.#apply(line, { lease, slice, node, sum, now })
    const { slot, leased } = lease
    const { amount } = slice
    const others = othersOf(lease, node)
    this.#forgetEmpty(scope, lease)
    const told = slot === null ? null : { no: slot.no, mine: slot.node === node }
    return { amount, short, sum, leased, slot: told, others }
  }

  /** @returns whether it was given less than it needs */
  #apply(line: Line, at: Place): boolean {
    const { scope, limit, charged, give, takes, need, want, answer, quiet } = line
    const { lease, slice, node } = at
    // A cost above what was held for it is never refused: then the sum alone pays.
    const paid = Math.min(charged, slice.amount)
    this.#ask(line, at)
    const given = Math.min(give, slice.amount - paid)
    slice.amount -= paid + given
    lease.leased -= paid + given
    if (answer > slice.answered) {
      slice.answered = answer
      slice.quiet = quiet
    }
    const mayTake = lease.slot === null || lease.slot.node === node
    if (!takes || !mayTake || limit === null) return false
    const room = Math.max(0, baseOf(scope, limit, at.sum) - lease.leased)
    const share = this.#living === 1 ? room : Math.floor(room / (2 * this.#living))
    const taken = Math.min(room, Math.max(need, Math.min(want, share)))
    slice.amount += taken
    lease.leased += taken
    return taken < need
  }

  #ask({ scope, ask }: Line, { lease, node, now }: Place): void {
    const isFirst = ask === 'open' && lease.slot === null
    if (isFirst) {
      lease.slot = { no: 0, node, until: now + slotMs }
      this.#asked.set(scope, lease)
    }
    const { slot } = lease
    if (slot?.node !== node) return
    if (ask === 'done') return this.#endQuestion(scope, lease)
    if (!isFirst && ask !== 'again') return
    slot.no = ++this.#questions
    for (const [other, { amount }] of lease.slices)
      if (other !== node && amount > 0) this.#raised.push({ node: other, scope, no: slot.no })
  }

  #endQuestion(scope: string, lease: Lease): void {
    lease.slot = null
    this.#asked.delete(scope)
  }

  #askedOf(node: NodeId, now: number): LeaseAnswer['asked'] {
    if (this.#asked.size === 0) return []
    const asked: { scope: string; no: number }[] = []
    for (const [scope, { slot, slices }] of this.#asked) {
      const slice = slices.get(node)
      if (slot === null || slot.node === node || slot.until < now) continue
      if (slice !== undefined && slice.answered < slot.no) asked.push({ scope, no: slot.no })
    }
    return asked
  }

  /** Numbers of questions never repeat, so that nothing of a scope must be kept for them. */
  #forgetEmpty(scope: string, { slices, slot }: Lease): void {
    if (slot !== null) return
    for (const [node, { amount }] of slices) if (amount === 0) slices.delete(node)
    if (slices.size === 0) this.leases.delete(scope)
  }
}

/** Where a line is applied. */
interface Place {
  readonly lease: Lease
  readonly slice: LeasedSlice
  readonly node: NodeId
  readonly sum: number
  readonly now: number
}

const unleased = (sum: number): SliceRow => ({
  amount: 0,
  short: false,
  sum,
  leased: 0,
  slot: null,
  others: [],
})

function othersOf({ slices }: Lease, node: NodeId): readonly OtherSlice[] {
  if (slices.size === 1) return []
  const others: OtherSlice[] = []
  for (const [id, { amount, answered, quiet }] of slices)
    if (id !== node) others.push({ node: id, amount, answered, quiet })
  return others
}
