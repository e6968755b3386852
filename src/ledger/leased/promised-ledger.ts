import type { Ledger } from '../ledger'

type Asking =
  | 'hold'
  | 'check'
  | 'room'
  | 'funds'
  | 'caps'
  | 'spentByKey'
  | 'spentByAccount'
  | 'spentByAccountOn'
  | 'spentByProject'
  | 'flush'
  | 'close'

/** The ledger's contract where answers may come from another process. */
export type PromisedLedger = Omit<Ledger, Asking> & {
  [Name in Asking]: (
    ...asked: Parameters<Ledger[Name]>
  ) => Promise<Awaited<ReturnType<Ledger[Name]>>>
}
