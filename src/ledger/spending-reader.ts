import type { NanoUsd } from '../domain/money'
import type { Scope } from './store'

export interface SpendingReader {
  /** What was spent in each scope, in their order; charges that the sums lack so far included. */
  spent(scopes: readonly Scope[]): Promise<readonly NanoUsd[]>
}
