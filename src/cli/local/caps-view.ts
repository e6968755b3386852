import type { Static } from '@sinclair/typebox'
import type { CapView } from '../../business/accounts/operations/caps'
import type { CommonOptions } from '../kit/command'
import { printFields, printJson, printLine, printTable } from '../kit/output'

type Caps = readonly Static<typeof CapView>[]

/** Prints one account, project or key with its caps. */
export function printWithCaps(
  { caps, ...fields }: { readonly caps: Caps } & Readonly<Record<string, unknown>>,
  { json }: CommonOptions,
): void {
  if (json) return printJson({ ...fields, caps })
  printFields(fields)
  printLine()
  const shown = (usd: string | null) => (usd === null ? '–' : `$${usd}`)
  printTable([
    ['CAP', 'PERIOD (UTC)', 'SPENT', 'LIMIT', 'LEFT'],
    ...caps.map((cap) => [
      cap.name,
      cap.period,
      shown(cap.spent_usd),
      shown(cap.limit_usd),
      shown(cap.left_usd),
    ]),
  ])
}
