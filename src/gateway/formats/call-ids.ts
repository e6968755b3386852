/**
 * Ids of tool calls that a vendor takes. A call keeps the id of the vendor that made it, and the next turn may go
 * to one that refuses it: Kimi's are `functions.get_weather:0`.
 */
export interface CallIdForm {
  /** Ids that pass as they are. */
  readonly fits: RegExp
  /** What is replaced in one that does not. */
  readonly illegal: RegExp
  /** Length of an id that is made here. */
  readonly maxChars: number
}

/**
 * One row for each rule that is known. Anthropic documents no length, and took 128 characters (as reported in
 * September 2026).
 */
export const callIdForms = {
  /** `^[a-zA-Z0-9_-]+$` (docs.claude.com, Messages, `tool_use.id`, 2026-11). */
  anthropic: { fits: /^[a-zA-Z0-9_-]+$/, illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64 },
  /** OpenAI refuses a longer `call_id` (`string_above_max_length`, as reported in September 2026). */
  responses: { fits: /^[^]{0,64}$/, illegal: /[^a-zA-Z0-9_-]/g, maxChars: 64 },
  /** OpenAI and Azure refuse longer ids in chat (`string_above_max_length`, as reported in December 2025). */
  openaiChat: { fits: /^[^]{0,40}$/, illegal: /[^a-zA-Z0-9_-]/g, maxChars: 40 },
  /** Mistral: nine letters or digits (docs.mistral.ai, 2026-11). */
  mistral: { fits: /^[a-zA-Z0-9]{9}$/, illegal: /[^a-zA-Z0-9]/g, maxChars: 9 },
} as const satisfies Record<string, CallIdForm>

const hashChars = 13

/**
 * An id that fits, the same for a call and its result. One that does not fit stays readable as far as there is
 * room, with a hash of all of it behind: two ids never become one.
 */
export function fittingCallId(id: string, { fits, illegal, maxChars }: CallIdForm): string {
  if (fits.test(id)) return id
  const hash = Bun.hash(id).toString(36).padStart(hashChars, '0')
  const room = maxChars - hashChars - 1
  if (room <= 0) return hash.slice(-maxChars)
  return `${id.replace(illegal, '_').slice(0, room)}_${hash}`
}
