/** What a check found: what is kept about a subject, and what it really comes to. */
export interface Difference {
  readonly subject: string
  readonly kept: bigint
  readonly real: bigint
}

/** One check: `sql` finds what should not be there, at most as many as its one parameter says. */
export interface Check {
  readonly sql: string
  tell(difference: Difference): string
}

/** Exact beyond what a number holds: the house's own balances are sums over all accounts. */
export function exactUsd(nanos: bigint): string {
  const digits = (nanos < 0n ? -nanos : nanos).toString().padStart(10, '0')
  return `${nanos < 0n ? '-' : ''}$${digits.slice(0, -9)}.${digits.slice(-9)}`
}
