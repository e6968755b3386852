import type { Slice } from './slice'

/** Money set aside, and what beyond it. */
export interface Granted {
  readonly how: 'granted'
  readonly reserved: number
  readonly metered: boolean
}

/** How a wish for money ended. */
export type Granting =
  | Granted
  /** There was an instant at which all nodes together had too little; or for long there was, here. */
  | { readonly how: 'refused' | 'late'; readonly by: Slice }
  /** Nobody may decide: the process does not hear of its engine. */
  | { readonly how: 'unavailable' }

/** What is asked for one call. */
export interface Asked {
  /** In the order in which they refuse. */
  readonly slices: readonly Slice[]
  readonly need: number
  /** The most that the call can cost; no less than what it needs. */
  readonly possible: number
  /** It ends where the money ends: nothing is reserved for it where that is less than possible. */
  readonly endsAtMoney: boolean
  /** All that could be had for what is possible was asked for. */
  readonly isContent: boolean
}

/** A call that waits for money. */
export interface Wish extends Asked {
  until: number
  /** Number of the first exchange that took for it where it waits now; 0 while there is none. */
  sentIn: number
  isContent: boolean
  /** An answer said that there is too little: from then on it has patience, and no more. */
  isShort: boolean
  readonly done: (granting: Granting) => void
}
