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

/** Kind of a device by its user agent, of any version (`Firefox · Linux`); '' where the agent says neither. */
export const deviceKind = (agent: string): string =>
  [named(agent, browsers), named(agent, systems)].filter(Boolean).join(' · ')
