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
export function thinksByBudget(name: string): boolean {
  const [, major, minor = '0'] = versioned.exec(name) ?? []
  if (major === undefined) return false
  return Number(major) < 4 || (Number(major) === 4 && Number(minor) <= 5)
}
