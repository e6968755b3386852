const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

const named = (agent: string, table: readonly (readonly [string, string])[]): string | null =>
  table.find(([mark]) => agent.includes(mark))?.[1] ?? null

/** Name of a device by its user agent (`Firefox · Linux`); null where the agent says neither. */
export function deviceOf(agent: string): string | null {
  const words = [named(agent, browsers), named(agent, systems)].filter((word) => word !== null)
  return words.length === 0 ? null : words.join(' · ')
}
