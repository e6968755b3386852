/** Reasons why calls to a vendor would fail. */
export const trialProblems = [
  'no_answer',
  'key_wanted',
  'key_refused',
  /** It answers below another address. */
  'address_incomplete',
  /** It answers, with no list of models. */
  'no_list',
  'other_status',
] as const

/** Obstacle to calls to a vendor. */
export interface TrialProblem {
  readonly code: (typeof trialProblems)[number]
  readonly status: number | null
  /** The address that was asked; of one that is incomplete the whole one. */
  readonly address: string
}
