/** The house's own sides of transfers. */
export const houseAccounts = {
  /** Receives every charge. */
  revenue: -1,
  /** Pays every topup. */
  payments: -2,
  /** Pays, or receives, what a person corrects. */
  adjustments: -3,
} as const

/** Why an account got money that nobody paid, as it stands in its statement. */
export const uncoveredNote = 'charged beyond the balance, which was lowered while a call ran'
