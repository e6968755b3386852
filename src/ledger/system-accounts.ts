/** The house's own sides of transfers. */
export const houseAccounts = {
  /** Receives every charge. */
  revenue: -1,
  /** Pays every topup. */
  payments: -2,
  /** Pays, or receives, what a person corrects. */
  adjustments: -3,
} as const
