/** Why a bill cannot be read or fetched. */
type BillFaultCode =
  | 'not_a_csv'
  | 'broken_csv'
  | 'unknown_columns'
  | 'unreadable_cell'
  | 'other_currency'
  | 'other_month'
  | 'mixed_zones'
  | 'too_large'
  | 'no_lines'
  | 'no_report'
  | 'key_refused'
  | 'vendor_unreachable'
  | 'vendor_failed'
  | 'odd_report'

/** A bill that cannot be used; nothing was changed. The message is one line for the operator. */
export class BillFault extends Error {
  constructor(
    readonly code: BillFaultCode,
    message: string,
  ) {
    super(message)
    this.name = 'BillFault'
  }
}

const maxQuoted = 40

/** Text of a file or an answer without control characters. */
export const plainText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()

/** Text of a file or an answer in quotes, shortened. */
export function quoted(text: string): string {
  const plain = plainText(text)
  return plain.length > maxQuoted ? `${plain.slice(0, maxQuoted)}…` : plain
}
