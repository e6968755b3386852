import { systemClock } from '../../domain/clock'
import {
  isKeyElsewhere,
  type credentialView,
  type vendorView,
  type VendorViewParts,
} from '../../admin/vendor-view'
import type { VendorOutcome } from '../../admin/vendors'
import type { VendorConfig } from '../../domain/model'
import type { ListForm } from '../kit/listing'
import { printFields, printLine, printTable } from '../kit/output'
import { balanceText } from './vendor-test'
import type { CommandParts } from './with-service'

/** Parts of a command for views of vendors, as they are by now. */
export const vendorParts = (parts: CommandParts): VendorViewParts => ({
  ...parts,
  now: systemClock.now(),
})

/** Prints a vendor for people: failures as a table, and credentials where there are several. */
export function printVendor({
  credentials,
  recent_calls: recent,
  ...view
}: Awaited<ReturnType<typeof vendorView>>): void {
  const { last_failures: failures = [], ...calls } = recent ?? {}
  printFields({
    ...view,
    ...Object.fromEntries(Object.entries(calls).map(([name, value]) => [`recent_${name}`, value])),
  })
  if (failures.length > 0) {
    printLine()
    printTable([
      ['FAILED', 'CODE', 'STATUS'],
      ...failures.map(({ at, code, status }) => [at, code, String(status ?? '–')]),
    ])
  }
  if (credentials.length < 2) return
  printLine()
  printTable([credentialForm.heading, ...credentials.map(credentialForm.cells)])
}

export const credentialForm: ListForm<ReturnType<typeof credentialView>> = {
  columns: ['name', 'api_key', 'active', 'state', 'cooling_until', 'balance', 'checked'],
  heading: ['CREDENTIAL', 'KEY', 'STATE', 'COOLING UNTIL', 'BALANCE', 'CHECKED'],
  cells: (each) => [
    each.name,
    each.api_key ?? '–',
    each.state,
    each.cooling_until ?? '–',
    each.balance === null ? '–' : balanceText(each.balance),
    each.checked ?? '–',
  ],
}

/**
 * Checks that a vendor's credential can be used from this shell.
 * @throws RangeError where a vendor can be asked from the gateway's environment only
 */
export function checkKeyHere(parts: Pick<CommandParts, 'discovery'>, vendor: VendorConfig): void {
  if (isKeyElsewhere(parts, vendor))
    throw new RangeError(
      `${vendor.name} was found in the environment of the gateway, and its key is not known here: set its variable in this shell too`,
    )
}

/** Prices that wait because of a change, for people. */
export function printProposed({ proposed }: Pick<VendorOutcome, 'proposed'>): void {
  if (proposed.length === 0) return
  const names = proposed.slice(0, 3).join(', ')
  const more = proposed.length > 3 ? ` and ${proposed.length - 3} more` : ''
  printLine(
    `no price on sale moved; by their rules ${names}${more} would have others: chapar prices list`,
  )
}
