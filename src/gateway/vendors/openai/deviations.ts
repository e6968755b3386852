import type { DialectName } from './dialects'

/**
 * Rules of an endpoint by dialect: the reference's, but for where a vendor deviates.
 * @param deviations of each vendor's published interface
 */
export function openRules<Rules extends object>(
  reference: Rules,
  deviations: Readonly<Partial<Record<DialectName, Partial<Rules>>>>,
): (dialect: string) => Rules {
  const known = new Map<string, Rules>(
    Object.entries(deviations).map(([dialect, own]) => [dialect, { ...reference, ...own }]),
  )
  return (dialect) => known.get(dialect) ?? reference
}
