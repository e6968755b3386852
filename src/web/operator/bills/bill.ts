import type { Result } from '../operate'

/** Result of a vendor's bill compared with our records. */
export type Bill = Result<'POST /bills/check'>
/** One reason for a difference between a bill and our records. */
export type BillFinding = Bill['findings'][number]
/** Our sum beside the vendor's, and their difference. */
export type Comparison = Bill['total']
