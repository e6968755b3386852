import type { CallIdForm } from '../../formats/call-ids'

/**
 * Members that a vendor refuses or demands inside messages; the dialect's row names whose interface says
 * so.
 */
export interface MessageRules {
  /** Knows the role `developer`. */
  readonly developer: boolean
  /** Refuses `name`. */
  readonly dropName?: true
  /** Takes only such ids of tool calls. */
  readonly callIds?: CallIdForm
  /** Members of the assistant's messages, where the schema is closed: it refuses any other, by its clients' libraries. */
  readonly assistant?: ReadonlySet<string>
  /** Refuses a user's message directly after a tool's. */
  readonly assistantAfterTool?: true
  /** How it takes back what was thought before a turn called tools; null where it is not known to. */
  readonly reasoning: ReasoningRule | null
}

/** Where the reasoning of earlier turns goes. */
export interface ReasoningRule {
  /**
   * A member of the message, or a part of its content (Mistral's `ThinkChunk`). A vendor at an unknown
   * address gets its own reasoning back, by the name that it sent it by: Google's imitation refuses any other
   * name, vLLM reads `reasoning`, relays of DeepSeek `reasoning_content`.
   */
  readonly member: 'reasoning_content' | 'reasoning' | 'thinking-part' | 'as-sent'
  /**
   * Refuses turns that come back without, be it empty: those that called tools, or all of a conversation with
   * tools.
   */
  readonly required?: 'calls' | 'turns'
  /** Passes signed reasoning of its own vendors on, who want it back with the calls: `reasoning_details`. */
  readonly details?: true
  /**
   * Only what this very model thought, as far as it is remembered: a model that does not think refuses the
   * member, as does the schema any other that is not known.
   */
  readonly own?: true
}
