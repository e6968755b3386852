import { systemClock } from '../../domain/clock'
import { isKeyElsewhere, type vendorView, type VendorViewParts } from '../../admin/vendor-view'
import type { VendorOutcome } from '../../admin/vendors'
import type { VendorConfig } from '../../domain/model'
import { credentialList } from '../../admin/operations/vendor-credential-commands'
import { proposedLines } from '../../admin/operations/vendor-words'
import { printFields, printLine, printTable } from '../kit/output'
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
  printTable([credentialList.heading, ...credentials.map(credentialList.cells)])
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
  for (const line of proposedLines(proposed)) printLine(line)
}
