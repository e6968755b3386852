import type { Result } from '../operate'

/** A vendor's bill, compared. */
export type Bill = Result<'POST /bills/check'>
export type BillFinding = Bill['findings'][number]
export type Comparison = Bill['total']
