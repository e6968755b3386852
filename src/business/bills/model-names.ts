import { allModels } from './bill'
import { plainText } from './fault'

/** As names are compared: `Claude Sonnet 4.5` is `claude-sonnet-4-5`. */
const canonical = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^models\//, '')
    .replaceAll(/[^a-z0-9/]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** `-2025-08-07`, `-20250807`, `-05-20`, `-08-2024`, `-0613`, `-001`, `-latest`, `-0` of an alias. */
const snapshot = /-(?:20\d{6}|20\d\d-\d\d-\d\d|\d\d-20\d\d|\d\d-\d\d|\d{3,4}|latest|0)$/

/** A name without the date of its snapshot. */
const familyOf = (name: string): string => name.replace(snapshot, '')

/** Words of Google's SKUs that tell how a model was used. */
const use =
  /-(?:text|image|audio|video|short|long|input|output|batch|flex|priority|caching|thinking)$/

/** Names of one model, put together: those of the bill and ours. */
export interface ModelNames {
  /** Common key of both sides' names of a model. */
  keyOf(name: string): string
  /** For people: as we call it, else as the bill does. */
  labelOf(key: string): string
}

/**
 * Finds which names mean one model. A vendor bills snapshots (`gpt-5-2025-08-07`) of what is routed by
 * another name (`gpt-5`): they are one model, unless both sides tell the same snapshots apart.
 */
export function openModelNames(ours: readonly string[], billed: readonly string[]): ModelNames {
  const known = new Set(ours.map((name) => familyOf(canonical(name))))
  const plain = (name: string): string => {
    const whole = canonical(name)
    if (!whole.startsWith('gemini')) return whole
    let shorter = whole
    while (!known.has(familyOf(shorter)) && use.test(shorter)) shorter = shorter.replace(use, '')
    return shorter
  }
  const byFamily = (names: readonly string[]) =>
    Map.groupBy(new Set(names.map(plain)), (name) => familyOf(name))
  const [here, there] = [byFamily(ours), byFamily(billed)]
  const apart = new Set(
    [...here.keys()].filter((family) => isSame(here.get(family) ?? [], there.get(family) ?? [])),
  )
  const keyOf = (name: string): string => {
    const whole = plain(name)
    const family = familyOf(whole)
    return apart.has(family) ? whole : family
  }
  const labels = new Map<string, string>()
  for (const name of [...ours.toSorted((a, b) => a.length - b.length), ...billed]) {
    const key = keyOf(name)
    if (!labels.has(key)) labels.set(key, plainText(name))
  }
  return { keyOf, labelOf: (key) => (key === allModels ? 'all models' : (labels.get(key) ?? key)) }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name) => b.includes(name))
