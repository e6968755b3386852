/**
 * Causes of proposals, as they are kept: in English, with names in braces filled in. The console has
 * each in Persian too, and finds its code by the text, so that those of earlier releases are known.
 */
export const causeTexts = {
  gateway_found: 'found by the gateway',
  before_rule: 'found before a rule was set',
  before_check: 'found before public prices were checked',
  rule_set: 'a pricing rule was set',
  approved: 'price changes were approved',
  public_prices: 'public prices of {day}',
  not_listed: 'no source lists it any more ({sources})',
  vendor_added: 'vendor {vendor} added',
  vendor_changed: 'vendor {vendor} changed',
  vendor_removed: 'vendor {vendor} removed',
  sandbox_on: 'the sandbox was switched on',
  sandbox_off: 'the sandbox was switched off',
  models_imported: 'models of vendor {vendor} imported',
  cost_typed: 'cost of {place} typed',
  model_added: 'model {model} added',
  model_changed: 'model {model} changed',
} as const

export type CauseCode = keyof typeof causeTexts
export const causeCodes = Object.keys(causeTexts) as readonly CauseCode[]

type FactOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | FactOf<Rest>
  : never

/** The text of a cause. */
export const causeOf = <Code extends CauseCode>(
  code: Code,
  ...[facts]: FactOf<(typeof causeTexts)[Code]> extends never
    ? []
    : [facts: Readonly<Record<FactOf<(typeof causeTexts)[Code]>, string>>]
): string =>
  causeTexts[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const fact: unknown = facts === undefined ? '' : Reflect.get(facts, name)
    return typeof fact === 'string' ? fact : ''
  })

const readers = causeCodes.map((code) => {
  const names = [...causeTexts[code].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const form = causeTexts[code].replaceAll(/[().]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '(.*)')
  return { code, names, pattern: new RegExp(`^${form}$`, 's') }
})

/** Code of a kept cause, with its facts; null for one in other words. */
export function readCause(
  text: string,
): { readonly code: CauseCode; readonly facts: Readonly<Record<string, string>> } | null {
  for (const { code, names, pattern } of readers) {
    const found = pattern.exec(text)
    if (found === null) continue
    return { code, facts: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) }
  }
  return null
}
