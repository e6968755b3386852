import { codesOf, filledText, textReader, type FactOf } from '../../domain/coded-texts'

/** Causes of proposals, as they are kept. */
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
export const causeCodes = codesOf(causeTexts)

/** The text of a cause. */
export const causeOf = <Code extends CauseCode>(
  code: Code,
  ...[facts]: FactOf<(typeof causeTexts)[Code]> extends never
    ? []
    : [facts: Readonly<Record<FactOf<(typeof causeTexts)[Code]>, string>>]
): string => filledText(causeTexts[code], facts ?? {})

/** Code of a kept cause, with its facts; null for one in other words. */
export const readCause = textReader(causeTexts)
