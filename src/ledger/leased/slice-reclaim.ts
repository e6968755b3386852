import type { QuestionStep, SliceRow, Slot } from './exchange'
import type { NodeId } from '../../domain/ids'

/** What an exchange in flight said of a scope. */
export interface SentLine {
  readonly no: number
  readonly charged: number
  readonly took: boolean
  readonly ask: QuestionStep | null
}

/** Who is to be refused: those who wait since that exchange and need more than there was. */
export interface LineRefusal {
  readonly asOf: number
  readonly room: number
}

/** What an answer means for those who still wait: who is refused now, or nobody. */
type Judged = LineRefusal | 'ask' | 'wait'

/**
 * The last cents of a scope. Slices of others are asked for; who is refused, is refused by one instant
 * at which all of them together were too small: the second of two looks between which nothing moved.
 */
export class SliceReclaim {
  slot: Slot | null = null
  /** Number of the newest question of another node that was answered. */
  answered = 0
  /** Something was held or ended since that answer. */
  changed = false
  /** Least of what was held and unwritten since the exchange in flight was sent. */
  leastUsed = 0
  /** Looks that all others were asked for. */
  round = 0
  /** What the next exchange asks. */
  ask: QuestionStep | null = null
  #no = 0
  #askedIn = 0
  #roomThen = 0
  #holders: readonly NodeId[] = []

  /** Another node waits for an answer. */
  isAsked(): boolean {
    return this.slot !== null && !this.slot.mine && this.slot.no > this.answered
  }

  isMine(): boolean {
    return this.slot?.mine === true
  }

  /** What an exchange says to the question of another node. */
  answering(): { readonly answer: number; readonly quiet: boolean } {
    const quiet = !this.changed
    if (this.slot === null || !this.isAsked()) return { answer: 0, quiet }
    this.answered = this.slot.no
    this.changed = false
    return { answer: this.slot.no, quiet }
  }

  moved(used: number): void {
    this.changed = true
    if (used < this.leastUsed) this.leastUsed = used
  }

  /** Whoever waited first waits no longer. */
  restart(): void {
    this.round = 0
    this.ask = null
  }

  /**
   * Looks at an answer for those who wait all the same.
   * @param most that can have been free here when it was given
   * @param looks that must find nothing, one after the other
   */
  judge(row: SliceRow, said: SentLine, fresh: boolean, most: number, looks: number): Judged {
    const { slot, short } = row
    // Its turn to ask ran out: what was answered then is no more.
    if (slot?.mine !== true && this.round > 0) this.restart()
    // What is free now is for the other one who asks.
    if (slot !== null && !slot.mine) return 'wait'
    const others = row.others.filter(({ amount }) => amount > 0)
    const asks = said.ask === 'open' || said.ask === 'again'
    if (row.torn === true) {
      if (asks && slot !== null) this.ask = 'again'
      return fresh && short ? 'ask' : 'wait'
    }
    if (asks && slot !== null && fresh) {
      this.round++
      this.#no = slot.no
      this.#askedIn = said.no
      this.#roomThen = most
      // Who held something at that moment must have answered it, whatever is left there now.
      this.#holders = others.map(({ node }) => node)
      this.ask = null
    } else if (asks && slot !== null) this.ask = 'again'
    // Told again of what was done before: what it could not take, it could not take then.
    if (!fresh || !short) return 'wait'
    if (others.length === 0) return { asOf: said.no, room: most }
    return asks ? 'ask' : this.#look(row, looks)
  }

  #look({ others }: SliceRow, looks: number): Judged {
    if (this.round === 0) {
      this.ask = 'open'
      return 'ask'
    }
    const answers = this.#holders.map((id) => others.find(({ node }) => node === id))
    const all = answers.every((each) => each === undefined || each.answered >= this.#no)
    if (!all) return 'ask'
    const quiet = answers.every((each) => each?.quiet === true)
    if (this.round >= looks && quiet) return { asOf: this.#askedIn, room: this.#roomThen }
    this.ask = 'again'
    return 'ask'
  }
}
