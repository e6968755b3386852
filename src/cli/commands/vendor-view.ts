import { marginOf, type VendorOutcome } from '../../admin/vendors'
import type { VendorConfig } from '../../domain/model'
import { printLine } from '../kit/output'
import type { CommandParts } from './with-service'

/** A vendor without its key, for programs. */
export const vendorView = (parts: CommandParts, vendor: VendorConfig) => ({
  object: 'vendor',
  name: vendor.name,
  kind: vendor.kind,
  dialect: vendor.dialect,
  base_url: vendor.baseUrl,
  api_key: isKeyElsewhere(parts, vendor) ? '…' : masked(vendor.credential),
  timeout_seconds: vendor.timeoutMs / 1000,
  transport: vendor.transport,
  margin_percent: marginOf(parts, vendor.name),
  active: vendor.active,
  source: vendor.source,
})

/** Of a key this short, four characters would tell too much. */
const shortestShown = 12

function masked(credential: string | null): string | null {
  if (credential === null) return null
  return credential.length < shortestShown ? '…' : `…${credential.slice(-4)}`
}

/** Whether its key is where the gateway runs, and not known here. */
const isKeyElsewhere = (
  { discovery }: Pick<CommandParts, 'discovery'>,
  { name, credential, source }: VendorConfig,
): boolean => credential === null && source === 'environment' && discovery.keysElsewhere.has(name)

/** @throws RangeError where a vendor can be asked from the gateway's environment only */
export function checkKeyHere(parts: Pick<CommandParts, 'discovery'>, vendor: VendorConfig): void {
  if (isKeyElsewhere(parts, vendor))
    throw new RangeError(
      `${vendor.name} was found in the environment of the gateway, and its key is not known here: set its variable in this shell too`,
    )
}

/** What prices wait for because of a change, for people. */
export function printProposed({ proposed }: Pick<VendorOutcome, 'proposed'>): void {
  if (proposed.length === 0) return
  const names = proposed.slice(0, 3).join(', ')
  const more = proposed.length > 3 ? ` and ${proposed.length - 3} more` : ''
  printLine(
    `no price on sale moved; by their rules ${names}${more} would have others: chapar prices list`,
  )
}
