/*
 * Betas of the Messages format that do not pass: they run other models or prices than those that are
 * sold, or name what belongs to the operator's account, which all clients share.
 */
const withheld = [
  'compact-',
  'advisor-',
  'server-side-fallback-',
  'fallback-credit-',
  'fast-mode-',
  'files-api-',
  'skills-',
  'agent-memory-',
  'managed-agents-',
  'message-threads-',
  'message-batches-',
  'user-profiles-',
]

/** What a client may name in a header of ours. */
const plainName = /^[\w.-]{1,100}$/

/**
 * The betas that a client asks for, as far as they pass.
 * @param allowed beginnings of names that pass although they would not
 */
export const passedBetas = (asked: string | null, allowed: readonly string[]): readonly string[] =>
  (asked ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => plainName.test(each) && (!begins(each, withheld) || begins(each, allowed)))

const begins = (name: string, beginnings: readonly string[]): boolean =>
  beginnings.some((each) => name.startsWith(each))
