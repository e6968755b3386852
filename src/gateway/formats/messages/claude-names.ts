/**
 * A name of Claude, with the version in it: `claude-3-5-sonnet-20241022`, `anthropic/claude-sonnet-4.5`,
 * `us.anthropic.claude-opus-4-1-20250805-v1:0`, `claude-sonnet-4@20250514`. Longer numbers are dates.
 */
const versioned = /claude[-_. ]?(?:[a-z]+[-_. ]?)?(\d{1,2})(?!\d)(?:[-_.](\d{1,2})(?!\d))?/i

/**
 * Whether a model is one of Claude up to 4.5: these think by a budget alone, and refuse to weigh it themselves
 * (platform.claude.com, Adaptive thinking, November 2026). The catalogue says so of those that it knows.
 * @param name the vendor's, which may be a relay or a cloud
 */
export const thinksByBudget = (name: string): boolean => isBefore(name, 4, 6) === true

/**
 * Whether a model is one of Claude from 4.7 on: these weigh thinking themselves, and refuse a budget
 * (docs.aws.amazon.com, Claude adaptive thinking, November 2026); 4.6 takes both.
 * @param name the vendor's, which may be a relay or a cloud
 * @returns null when the name says no version of Claude
 */
export function refusesBudget(name: string): boolean | null {
  const isOlder = isBefore(name, 4, 7)
  return isOlder === null ? null : !isOlder
}

/**
 * Member of adaptive thinking that has a model show what it thinks: Claude shows nothing from 4.7 on unless it is
 * requested, and a summary before (platform.claude.com, What's new in Claude Opus 4.7, November 2026). Others may not
 * know it.
 * @param name the vendor's, which may be a relay or a cloud
 */
export const shownThinking = (name: string): { readonly display?: 'summarized' } =>
  refusesBudget(name) === true ? { display: 'summarized' } : {}

/**
 * Whether a model takes messages of the role `system` after others: Claude does from 4.8 on, and refuses the role before
 * (platform.claude.com, Mid-conversation system messages, November 2026). Other models that speak the format know two
 * roles; a Claude without a version is a new one.
 * @param name the vendor's, which may be a relay or a cloud
 */
export const takesLaterInstructions = (name: string): boolean =>
  /claude/i.test(name) && isBefore(name, 4, 8) !== true

/** @returns null when the name says no version of Claude */
function isBefore(name: string, beforeMajor: number, beforeMinor: number): boolean | null {
  const [, major, minor = '0'] = versioned.exec(name) ?? []
  if (major === undefined) return null
  return (
    Number(major) < beforeMajor || (Number(major) === beforeMajor && Number(minor) < beforeMinor)
  )
}
