import { ownerCaps, type CapOwner, type CapUse } from '../../admin/caps'
import { systemClock } from '../../domain/clock'
import { showUsd } from '../../domain/money'
import { openSettings } from '../../settings/settings'
import type { Storage } from '../../storage/storage'
import type { CommonOptions } from '../kit/leaf'
import { printFields, printJson, printLine, printTable } from '../kit/output'
import { fixedFor } from './configured-service'

/** The caps of an owner, with what is spent of each, as JSON has them. */
export async function capsView(storage: Storage, owner: CapOwner, options: CommonOptions) {
  const { values } = await openSettings({
    store: storage.settings,
    fixed: await fixedFor(storage, options.data),
    // A value that cannot be read leaves the default, as in the gateway, which logs it.
    onFault: () => {},
  })
  return (await ownerCaps(storage.spending, owner, values, systemClock.now())).map(capView)
}

const capView = ({ name, period, limit, spent, left }: CapUse) => ({
  name,
  period: period === '' ? 'lifetime' : period,
  spent_usd: showUsd(spent),
  limit_usd: limit === null ? null : showUsd(limit),
  left_usd: left === null ? null : showUsd(left),
})

type Caps = Awaited<ReturnType<typeof capsView>>

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
