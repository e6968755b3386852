/**
 * Members that a vendor refuses or demands inside messages; the dialect's row names whose interface says
 * so.
 */
export interface MessageRules {
  /** Knows the role `developer`. */
  readonly developer: boolean
  /** Refuses `name`. */
  readonly dropName?: true
  /** Takes only ids of tool calls that are nine letters or digits (Mistral). */
  readonly nineLetterCallIds?: true
  /**
   * Refuses a turn that called tools when it comes back without its reasoning, be it empty (DeepSeek,
   * Kimi).
   */
  readonly reasoningWithCalls?: true
  /** Passes signed reasoning of its own vendors on, who want it back with the calls (OpenRouter). */
  readonly reasoningDetails?: true
}
