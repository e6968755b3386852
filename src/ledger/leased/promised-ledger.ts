import type { Ledger } from '../ledger'

type AskingMethod =
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
export type PromisedLedger = Omit<Ledger, AskingMethod> & {
  [Name in AskingMethod]: (
    ...asked: Parameters<Ledger[Name]>
  ) => Promise<Awaited<ReturnType<Ledger[Name]>>>
}
