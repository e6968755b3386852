import { nanoUsd, zeroUsd } from '../../domain/money'
import type { LedgerStore } from '../store'
import type { Sums } from '../sums/aggregator'

const noneCommits = (): never => {
  throw new Error('money moves in exchanges of nodes, not in commits of stores')
}

/**
 * Sums of a database on which nodes move money: they are written behind the charges by `openSumWriter`,
 * which finds what went back too. Stores leave them alone.
 */
export const exchangedSums: Sums = {
  writeFree: noneCommits,
  add: noneCommits,
  giveBack() {},
  spent: () => nanoUsd(0),
  write: () => false,
  writeProject() {},
  recover: noneCommits,
}

/** The ledger's rows, where nodes move money: nobody commits by them. */
export const exchangedLedger: LedgerStore = {
  sums: async (scopes) => scopes.map(() => zeroUsd),
  commit: async () => noneCommits(),
  sumUp: async () => false,
  recover: async () => 0,
  find: async () => null,
}
